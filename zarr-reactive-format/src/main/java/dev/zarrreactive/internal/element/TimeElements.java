package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.datatype.Timedelta64Type;
import java.time.Duration;
import java.time.Instant;

/** Points in time and lengths of time, as counts of the data type's unit. */
final class TimeElements extends ImageElements {
  private final TimeType type;

  TimeElements(TimeType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.type = type;
  }

  @Override
  public long longAt(int element) {
    return LittleEndian.getLong(array(), position(element));
  }

  @Override
  public Instant instantAt(int element) {
    if (type instanceof Datetime64Type points) {
      return points.toInstant(longAt(element));
    }
    throw refused("an Instant");
  }

  @Override
  public Duration durationAt(int element) {
    if (type instanceof Timedelta64Type lengths) {
      return lengths.toDuration(longAt(element));
    }
    throw refused("a Duration");
  }

  @Override
  public long[] toLongArray() {
    long[] copy = new long[count()];
    bytes().asByteBuffer().asLongBuffer().get(copy);
    return copy;
  }

  @Override
  String right() {
    return (type instanceof Datetime64Type ? "getInstant" : "getDuration")
        + ", or getLong for the count";
  }

  @Override
  public String text(int element) {
    return type.toText(longAt(element));
  }
}
