"""Stage 3a: pairs of rows become signatures, distinct and, where asked for, counted.

``signature`` says what is compared and how it is packed, ``evidence`` holds what was found, ``gather`` finds it.
"""
