package dev.zarrreactive.arrow;

import dev.zarrreactive.internal.rows.RowPlaces;

/** Where the values of a vector stand among the elements that are read. Not thread-safe. */
interface Places {
  /** The place of a value that there is none for. */
  int NONE = -1;

  /** The number of values. */
  int count();

  /** Returns the element of a value, or {@link #NONE}. */
  int place(int value);

  /** Returns the first element if the values are elements that follow each other; else none. */
  int contiguousFrom();

  /** Returns the places of some rows. */
  static Places ofRows(RowPlaces rows, long from, int count) {
    return new Places() {
      @Override
      public int count() {
        return count;
      }

      @Override
      public int place(int value) {
        return rows.place(from + value);
      }

      @Override
      public int contiguousFrom() {
        return rows.isEachRow() ? Math.toIntExact(from) : NONE;
      }
    };
  }
}
