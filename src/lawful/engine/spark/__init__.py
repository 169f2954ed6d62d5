"""The Spark corner: sessions (`session`), and the engine that runs jobs on one (`engine`). Loads PySpark on use."""
