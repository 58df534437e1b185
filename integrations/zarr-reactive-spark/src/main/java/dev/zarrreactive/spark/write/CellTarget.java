package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.store.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arrays of a write whose rows are cells. */
abstract class CellTarget implements WriteTarget {
  final ZarrHierarchy hierarchy;
  final Store store;
  private final List<DimensionLabels> labels;
  private final List<ArrayTarget> arrays;
  private final @Nullable Claim claim;

  CellTarget(
      ZarrHierarchy hierarchy,
      List<DimensionLabels> labels,
      List<ArrayTarget> arrays,
      @Nullable Claim claim) {
    this.hierarchy = hierarchy;
    this.store = hierarchy.store();
    this.labels = List.copyOf(labels);
    this.arrays = List.copyOf(arrays);
    this.claim = claim;
  }

  @Override
  public final List<DimensionLabels> labels() {
    return labels;
  }

  @Override
  public final List<ArrayTarget> arrays() {
    return arrays;
  }

  @Override
  public final @Nullable Claim claim() {
    return claim;
  }
}
