package dev.zarrreactive.spark;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/** A change of some nodes of a tree of Spark, in the form in which Spark applies it. */
final class Rewriting<T> extends AbstractPartialFunction<T, T> {
  private final UnaryOperator<@Nullable T> change;

  /**
   * Creates a change.
   *
   * @param change returns another node, or null for a node that stays
   */
  Rewriting(UnaryOperator<@Nullable T> change) {
    this.change = change;
  }

  @Override
  public boolean isDefinedAt(T node) {
    return change.apply(node) != null;
  }

  @Override
  @SuppressWarnings("unchecked") // Spark asks for the type of the tree
  public <A extends T, B> B applyOrElse(A node, Function1<A, B> otherwise) {
    T other = change.apply(node);
    return other == null ? otherwise.apply(node) : (B) other;
  }

  /** Visits each node of a tree. */
  static <N extends TreeNode<N>> void each(N tree, Consumer<TreeNode<?>> visitor) {
    tree.foreach(
        node -> {
          visitor.accept(node);
          return BoxedUnit.UNIT;
        });
  }
}
