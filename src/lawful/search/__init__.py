"""Stage 3b: candidates become minimal rules.

``lattice`` decides what to try and what may be skipped, ``validators`` are the jobs that try it on rows, ``witnesses``
the pairs of rows that refute without looking.
"""
