package dev.zarrreactive.spark.write;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.TimeType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The labels of a dimension, by which rows find their index. A dimension without a coordinate has
 * its indices as labels.
 *
 * @param name the name of the dimension
 * @param column the column that has the labels, or the indices
 * @param kind the kind of the labels; null for indices
 * @param indices the index of each label; negative for a label that several indices have
 * @param extent the number of indices
 * @param help the words on what to do about a label that the dimension lacks
 */
record DimensionLabels(
    String name,
    String column,
    @Nullable CellKind kind,
    Map<Object, Long> indices,
    long extent,
    String help)
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long SEVERAL = -1;

  /** Returns the labels of a dimension without a coordinate. */
  static DimensionLabels ofIndices(String name, String column, long extent, String help) {
    return new DimensionLabels(name, column, null, Map.of(), extent, help);
  }

  /** Returns labels, in the form of their kind, in the order of their indices. */
  static DimensionLabels of(String name, CellKind kind, List<Object> labels, String help) {
    Map<Object, Long> indices = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      indices.merge(key(labels.get(i)), (long) i, (one, other) -> SEVERAL);
    }
    return new DimensionLabels(name, name, kind, indices, labels.size(), help);
  }

  /** Returns the labels that a coordinate has, from its decoded values. */
  static List<Object> labels(CellKind kind, NdArray decoded) {
    DataType type = decoded.dataType();
    List<Object> labels = new ArrayList<>();
    if (kind == CellKind.TEXT) {
      labels.addAll(List.of(decoded.toStringArray()));
    } else if (type instanceof TimeType time) {
      for (long count : decoded.toLongArray()) {
        labels.add(count == TimeType.NAT ? (Object) "NaT" : Micros.of(count, time));
      }
    } else {
      for (long i = 0; i < decoded.shape().extent(0); i++) {
        labels.add(
            switch (kind) {
              case BOOLEAN -> decoded.getBoolean(i);
              case UNSIGNED -> decoded.getUnsignedLong(i);
              case FLOAT -> decoded.getFloat(i);
              case DOUBLE -> decoded.getDouble(i);
              default -> decoded.getLong(i);
            });
      }
    }
    return labels;
  }

  /** Makes one label of both zeros. */
  private static Object key(Object label) {
    return label.equals(-0.0) ? (Object) 0.0 : label.equals(-0.0f) ? (Object) 0.0f : label;
  }

  /** Returns these labels with others behind them. */
  DimensionLabels with(List<Object> others) {
    Map<Object, Long> longer = new HashMap<>(indices);
    for (int i = 0; i < others.size(); i++) {
      longer.put(key(others.get(i)), extent + i);
    }
    return new DimensionLabels(name, column, kind, longer, extent + others.size(), help);
  }

  /** Returns the same dimension with another extent, for indices. */
  DimensionLabels with(long longer) {
    return new DimensionLabels(name, column, kind, indices, longer, help);
  }

  /** Returns those of some values of the column that are no label yet. */
  Set<Object> unknown(Set<Object> labels) {
    labels.removeIf(label -> indices.containsKey(key(label)));
    return labels;
  }

  /**
   * Returns the index of a label.
   *
   * @param value a value of the column
   * @throws IllegalArgumentException for a value that is none of the labels
   */
  long index(@Nullable Object value) {
    if (value == null) {
      throw refused("NULL", "each row needs one");
    }
    CellKind labels = kind;
    if (labels == null) {
      Object index = of(CellKind.WHOLE, value);
      if ((Long) index < 0 || (Long) index >= extent) {
        throw refused(index.toString(), "its indices go from 0 to " + (extent - 1) + "; " + help);
      }
      return (Long) index;
    }
    Object label = of(labels, value);
    Long index = indices.get(key(label));
    if (index == null) {
      throw refused(labels.text(label), "none of its " + extent + " labels equals it; " + help);
    } else if (index == SEVERAL) {
      throw refused(
          labels.text(label),
          "several indices have it; give the column _index_" + name + " instead");
    }
    return index;
  }

  private Object of(CellKind labels, Object value) {
    try {
      return labels.of(value);
    } catch (IllegalArgumentException e) {
      throw refused(value.toString(), e.getMessage());
    }
  }

  private IllegalArgumentException refused(String label, @Nullable String why) {
    return new IllegalArgumentException(
        "the dimension "
            + name
            + " has no label "
            + label
            + " of the column "
            + column
            + ": "
            + why);
  }
}
