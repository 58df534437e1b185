package dev.zarrreactive.spark.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The arrays of a write, and its steps on the driver. */
interface WriteTarget {
  /** The dimensions of a row; empty where rows are chunks. */
  List<DimensionLabels> labels();

  /** The arrays that tasks write to, with their metadata after the write. */
  List<ArrayTarget> arrays();

  /** Returns true if the arrays are new, so that tasks store each value once. */
  boolean isNew();

  /** The mark of the write, which tasks look for; null if it has none. */
  @Nullable Claim claim();

  /** Prepares the write; nothing that is there changes. */
  Mono<Void> begin();

  /** Makes all that tasks have written visible. */
  Mono<Void> commit();

  /** Removes the traces of a write that has failed. */
  Mono<Void> abort();

  /** Returns the arrays, those together that have the same dimensions and chunks. */
  default List<List<ArrayTarget>> groups() {
    Map<Object, List<ArrayTarget>> groups = new LinkedHashMap<>();
    for (ArrayTarget target : arrays()) {
      var metadata = target.array().metadata();
      groups
          .computeIfAbsent(
              List.of(
                  target.dimensions(),
                  metadata.shape(),
                  metadata.chunkGrid().toJson(),
                  target.areRaw() ? target.column() : ""),
              any -> new ArrayList<>())
          .add(target);
    }
    return List.copyOf(groups.values());
  }
}
