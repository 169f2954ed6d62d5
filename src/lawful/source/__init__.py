"""Stage 1: where rows come from.

``opening.open_source`` turns whatever a person names into one of three: ``files.FileSource`` (delimited text, JSON
lines, Parquet, ORC, Arrow; readable piece by piece anywhere), ``frames.FrameSource`` (a table in this process) and
``spark.SparkSource`` (a Spark DataFrame). None of them interprets values: text stays text until stage 2.
"""
