package dev.zarrreactive.internal.context;

import dev.zarrreactive.store.Store;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets the other packages of this project make requests for values that belong to no node, with the
 * limit of a hierarchy and observed by its observer. They wait for their turn behind the requests
 * of the nodes. A hierarchy shows its plain store alone, and stands above this package, so that it
 * hands in the way to its context.
 */
public final class HierarchyRequests {
  private static volatile @Nullable Function<Object, Store> contexts;

  private HierarchyRequests() {}

  /** Called by the class of hierarchies when it is loaded. */
  public static void handIn(Function<Object, Store> requests) {
    contexts = requests;
  }

  /**
   * Returns the store of a hierarchy, limited and observed.
   *
   * @param hierarchy a {@code ZarrHierarchy}
   */
  public static Store of(Object hierarchy) {
    return Objects.requireNonNull(contexts).apply(hierarchy);
  }
}
