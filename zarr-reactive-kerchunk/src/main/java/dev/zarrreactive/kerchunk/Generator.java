package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A generator of references: one for each combination of the values of its dimensions, the last
 * dimension fastest.
 */
final class Generator {
  /** The values of one name. */
  sealed interface Dimension {
    /** How many values there are. */
    long count();

    /** The value of an index: a text or a {@link Long}. */
    Object value(long index);

    /** Values that are written out. */
    record Listed(List<Object> values) implements Dimension {
      @Override
      public long count() {
        return values.size();
      }

      @Override
      public Object value(long index) {
        return values.get((int) index);
      }
    }

    /** The integers from {@code start} to {@code stop}, exclusive. */
    record Stepped(long start, long stop, long step) implements Dimension {
      @Override
      public long count() {
        if (step > 0 ? start >= stop : start <= stop) {
          return 0;
        }
        long steps = Math.max(1, Math.abs(step));
        long span = step > 0 ? stop - start : start - stop; // unsigned
        long count = Long.divideUnsigned(span - 1, steps) + 1;
        return count <= 0 ? Long.MAX_VALUE : count;
      }

      @Override
      public Object value(long index) {
        return start + index * step;
      }
    }
  }

  private final TemplateText key;
  private final TemplateText url;
  private final @Nullable TemplateText offset;
  private final @Nullable TemplateText length;
  private final Map<String, Dimension> dimensions;

  Generator(
      TemplateText key,
      TemplateText url,
      @Nullable TemplateText offset,
      @Nullable TemplateText length,
      Map<String, Dimension> dimensions) {
    this.key = key;
    this.url = url;
    this.offset = offset;
    this.length = length;
    this.dimensions = dimensions;
  }

  /** Adds its references to a table, which bounds them: they are counted before they are made. */
  void generate(Templates templates, ReferenceTable.Builder table, Location where) {
    long count = table.countGenerated(dimensions.values(), where);
    List<String> names = new ArrayList<>(dimensions.keySet());
    Map<String, Object> values = new HashMap<>();
    for (long i = 0; i < count; i++) {
      long rest = i;
      for (int d = names.size() - 1; d >= 0; d--) {
        Dimension dimension = dimensions.get(names.get(d));
        if (dimension != null) {
          values.put(names.get(d), dimension.value(rest % dimension.count()));
          rest /= dimension.count();
        }
      }
      add(templates, values, table, where);
    }
  }

  private void add(
      Templates templates,
      Map<String, Object> values,
      ReferenceTable.Builder table,
      Location where) {
    String name = templates.expand(key, values);
    try {
      StoreKey.of(name);
    } catch (IllegalArgumentException e) {
      throw new MetadataException(
          "a generator makes a name that is no key of a store: " + e.getMessage(),
          where.child("key"));
    }
    String target = templates.expand(url, values);
    if (offset == null || length == null) {
      table.elsewhere(name, target, 0, KerchunkReference.Elsewhere.WHOLE);
      return;
    }
    long from = integer(templates.expand(offset, values), where.child("offset"));
    long size = integer(templates.expand(length, values), where.child("length"));
    if (from < 0 || size < 0 || from + size < 0) {
      throw new MetadataException(
          "a generator makes " + size + " bytes from " + from + ", which are no part of a file",
          where);
    }
    table.elsewhere(name, target, from, size);
  }

  private static long integer(String text, Location where) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new MetadataException("not a 64-bit integer: \"" + text + "\"", where);
    }
  }
}
