package dev.zarrreactive.base;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ValueTooLargeException;

/** A part of a value, in bytes, or all of it up to a size. */
public sealed interface ByteRange {
  /** {@code length} bytes from {@code offset}; all of them must be there. */
  record Slice(long offset, long length) implements ByteRange {
    /** A slice; neither number may be negative, nor their sum overflow. */
    public Slice {
      if (offset < 0 || length < 0 || offset + length < 0) {
        throw new IllegalArgumentException("not a byte range: " + offset + "+" + length);
      }
    }

    @Override
    public String toString() {
      return "bytes " + offset + " to " + (offset + length) + " (exclusive)";
    }
  }

  /** Everything from {@code offset}, which may be the value's end but not beyond. */
  record From(long offset) implements ByteRange {
    /** A range to the end; the offset may not be negative. */
    public From {
      if (offset < 0) {
        throw new IllegalArgumentException("not a byte range: from " + offset);
      }
    }

    @Override
    public String toString() {
      return "bytes from " + offset;
    }
  }

  /** The last {@code length} bytes, or the whole value where it is shorter. */
  record Suffix(long length) implements ByteRange {
    /** A suffix; the length may not be negative. */
    public Suffix {
      if (length < 0) {
        throw new IllegalArgumentException("not a byte range: last " + length);
      }
    }

    @Override
    public String toString() {
      return "the last " + length + " bytes";
    }
  }

  /**
   * The whole value, which may have at most {@code maxBytes} bytes. A store refuses a larger one
   * before it has collected or allocated more than that, with {@link ValueTooLargeException}.
   */
  record Whole(long maxBytes) implements ByteRange {
    /** A bounded read; the bound may not be negative. */
    public Whole {
      if (maxBytes < 0) {
        throw new IllegalArgumentException("not a byte range: whole, at most " + maxBytes);
      }
    }

    /**
     * Refuses a value of {@code size} bytes if that exceeds the bound.
     *
     * @throws ValueTooLargeException if the value is too large, with the key in its location
     */
    public void check(StoreKey key, long size) {
      if (size > maxBytes) {
        throw new ValueTooLargeException(size, maxBytes, Location.ofKey(key.value()));
      }
    }

    @Override
    public String toString() {
      return "the whole value of at most " + maxBytes + " bytes";
    }
  }

  /** The whole value, which may have at most {@code maxBytes} bytes. */
  static ByteRange whole(long maxBytes) {
    return new Whole(maxBytes);
  }

  /**
   * Resolves this range to a slice of a value of {@code size} bytes.
   *
   * @throws IndexOutOfBoundsException where the value is too short for it, or larger than a {@link
   *     Whole} allows
   */
  default Slice resolve(long size) {
    Slice slice;
    if (this instanceof Slice given) {
      slice = given;
    } else if (this instanceof From from) {
      slice = from.offset() > size ? null : new Slice(from.offset(), size - from.offset());
    } else if (this instanceof Whole whole) {
      slice = size > whole.maxBytes() ? null : new Slice(0, size);
    } else {
      long length = Math.min(size, ((Suffix) this).length());
      slice = new Slice(size - length, length);
    }
    if (slice == null || slice.offset() + slice.length() > size) {
      throw new IndexOutOfBoundsException(this + " of a value of " + size + " bytes");
    }
    return slice;
  }

  /**
   * Resolves this range to a slice of the value at {@code key}, for a store that knows its size.
   *
   * @throws RangeOutOfBoundsException where the value is too short for it
   * @throws ValueTooLargeException where the value is larger than a {@link Whole} allows
   */
  default Slice resolve(StoreKey key, long size) {
    if (this instanceof Whole whole) {
      whole.check(key, size);
    }
    try {
      return resolve(size);
    } catch (IndexOutOfBoundsException e) {
      throw new RangeOutOfBoundsException(toString(), size, Location.ofKey(key.value()));
    }
  }

  /** Returns this range of the value at {@code key}; the errors are those of {@link #resolve}. */
  default Bytes of(StoreKey key, Bytes value) {
    Slice slice = resolve(key, value.size());
    return value.slice((int) slice.offset(), (int) slice.length());
  }
}
