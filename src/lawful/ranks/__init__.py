"""Stage 2: values become ranks.

``infer`` decides the type of a text column from all its values, ``parse`` turns text into typed values, ``keys``
turns typed values into numbers and bytes that sort like them, ``encode`` (in process) and ``distributed`` (as jobs
on any engine) turn keys into dense int32 ranks. Both give equal ranks.
"""
