package dev.zarrreactive.internal.codec.transpose;

/**
 * Transposes matrices of one form that lie in larger arrays: source row {@code r}, column {@code c}
 * becomes result row {@code c}, column {@code r}. It works tile by tile, so that both sides stay in
 * the processor's cache. If the rows of the result lie far apart they compete for the same few
 * places in the cache; then a tile is first transposed into memory of its own.
 */
final class MatrixTranspose {
  private static final int TILE_BYTES = 16 << 10;
  private static final int TILE_EDGE = 64;
  private static final int LARGE_ITEM = 16;

  private final int itemSize;
  private final int rows;
  private final int columns;
  private final int fromStride;
  private final int toStride;
  private final int tileRows;
  private final int tileColumns;
  private final byte[] tile;

  /**
   * Creates a transposition of {@code rows} × {@code columns} items.
   *
   * @param fromStride the distance of the source's rows, in bytes
   * @param toStride the distance of the result's rows, in bytes
   */
  MatrixTranspose(int itemSize, int rows, int columns, int fromStride, int toStride) {
    this.itemSize = itemSize;
    this.rows = rows;
    this.columns = columns;
    this.fromStride = fromStride;
    this.toStride = toStride;
    int tileItems = Math.max(1, TILE_BYTES / itemSize);
    int edge = Math.min(TILE_EDGE, Integer.highestOneBit((int) Math.sqrt(tileItems)));
    int narrow = Math.min(Math.min(rows, columns), edge);
    int wide = Math.max(1, tileItems / narrow);
    this.tileRows = Math.min(rows, rows <= columns ? narrow : wide);
    this.tileColumns = Math.min(columns, rows <= columns ? wide : narrow);
    boolean direct = itemSize >= LARGE_ITEM || (tileRows == rows && toStride == rows * itemSize);
    this.tile = new byte[direct ? 0 : tileRows * tileColumns * itemSize];
  }

  /** Transposes the matrix at {@code from} into the one at {@code to}. */
  void apply(byte[] source, int from, byte[] result, int to) {
    for (int column = 0; column < columns; column += tileColumns) {
      int width = Math.min(tileColumns, columns - column);
      for (int row = 0; row < rows; row += tileRows) {
        int height = Math.min(tileRows, rows - row);
        int tileFrom = from + row * fromStride + column * itemSize;
        int tileTo = to + column * toStride + row * itemSize;
        if (tile.length == 0) {
          TileTranspose.apply(
              itemSize, source, tileFrom, fromStride, result, tileTo, toStride, height, width);
        } else {
          int length = height * itemSize;
          TileTranspose.apply(
              itemSize, source, tileFrom, fromStride, tile, 0, length, height, width);
          for (int i = 0; i < width; i++) {
            System.arraycopy(tile, i * length, result, tileTo + i * toStride, length);
          }
        }
      }
    }
  }
}
