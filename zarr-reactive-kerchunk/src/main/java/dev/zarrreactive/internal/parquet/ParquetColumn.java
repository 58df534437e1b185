package dev.zarrreactive.internal.parquet;

/** Takes the values of one column, in the order of the rows; rows that are null are left out. */
public interface ParquetColumn {
  /** Takes an integer. */
  void integer(int row, long value);

  /** Takes bytes, which the receiver copies. */
  void bytes(int row, byte[] array, int from, int length);

  /** Takes a floating-point number. */
  void number(int row, double value);
}
