package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnfinishedAppendException;
import dev.zarrreactive.error.UnfinishedResizeException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Judges what the consumer of one operation is given. */
final class OperationJudge {
  /** A read gives up after its shard was replaced so often. */
  private static final int MOST_REPLACEMENTS = 7;

  private final Simulation run;
  private final RunningOperation operation;
  private final PlannedOperation plan;
  private final ArrayPlan array;
  private final boolean[] isGiven;
  private final int[] given;
  private int bytesGiven;
  private int ranks;
  private long partOfElement;
  private long @Nullable [] lastChunk;

  OperationJudge(Simulation run, RunningOperation operation) {
    this.run = run;
    this.operation = operation;
    this.plan = operation.plan();
    this.array = run.array(plan.array());
    this.isGiven = new boolean[Box.all(array.shape()).size()];
    this.given = new int[isGiven.length];
  }

  void next(Object value) {
    SimulatedCommits commits = run.commits();
    if (commits != null) {
      commits.told(operation, value);
      return;
    }
    if (plan.kind() == PlannedOperation.Kind.GROW) {
      return; // the growing array judges it
    }
    if (plan.kind() == PlannedOperation.Kind.READ_CHUNK) {
      wholeChunk((NdArray) value);
    } else if (plan.kind() == PlannedOperation.Kind.RANKED) {
      ranked(((NdArray) value).getDouble());
    } else if (value instanceof NdArray elements) {
      values(plan.box(), elements);
    } else if (value instanceof Chunk chunk) {
      chunk(chunk);
    } else if (value instanceof Bytes bytes) {
      bytes(bytes);
    } else if (value instanceof List<?> keys) {
      listing(keys);
    } else if (plan.kind() != PlannedOperation.Kind.APPEND
        && value instanceof ZarrArray opened
        && !Arrays.equals(opened.shape().toArray(), array.shape())) {
      run.found(Rule.VALUES, operation, operation + " opened " + opened);
    }
  }

  /** All keys are of one version. */
  private void listing(List<?> keys) {
    Set<String> found = new TreeSet<>();
    keys.forEach(key -> found.add(key.toString()));
    SimulatedRepository repository = run.repository();
    if (repository == null || found.size() != keys.size() || !repository.hasKeys(found)) {
      run.found(Rule.VALUES, operation, operation + " listed what no version has: " + keys);
    }
  }

  /** All elements are of one version: a snapshot never changes. */
  private void oneVersion() {
    SimulatedRepository repository = run.repository();
    int[] indices = IntStream.range(0, given.length).filter(i -> isGiven[i]).toArray();
    if (repository != null && !repository.hasElements(plan.array(), indices, given)) {
      run.found(Rule.VALUES, operation, operation + " was given elements of several versions");
    }
  }

  /** A whole chunk has elements beyond the end of the array, too, which nobody has written. */
  private void wholeChunk(NdArray elements) {
    long[] first = array.chunkOf(plan.box());
    long[] count = array.chunk().clone();
    for (int d = 0; d < first.length; d++) {
      first[d] *= array.chunk()[d];
      count[d] = Math.min(count[d], array.shape()[d] - first[d]);
    }
    if (!Arrays.equals(elements.shape().toArray(), array.chunk())) {
      run.found(Rule.COMPLETE, operation, operation + " read a chunk of shape " + elements.shape());
      return;
    }
    values(Box.of(first, count), elements.slice(Selection.box(new long[count.length], count)));
  }

  private void chunk(Chunk chunk) {
    Box box = Box.of(chunk.selection());
    if (plan.kind() == PlannedOperation.Kind.CHUNKS_IN_ORDER) {
      long[] index = new long[box.first().length];
      Arrays.setAll(index, d -> box.first()[d] / array.chunk()[d]);
      if (lastChunk != null && Arrays.compare(lastChunk, index) > 0) {
        run.found(
            Rule.ORDER,
            operation,
            operation
                + " was given chunk "
                + Arrays.toString(index)
                + " after "
                + Arrays.toString(lastChunk));
      }
      lastChunk = index;
    }
    values(box, chunk.data());
  }

  private void values(Box box, NdArray elements) {
    int[] values =
        plan.kind() == PlannedOperation.Kind.READ_DECODED
            ? Arrays.stream(elements.toDoubleArray()).mapToInt(Halves::stored).toArray()
            : elements.cast(DataTypes.INT32).toIntArray();
    int[] indices = box.indices(array.shape());
    for (int i = 0; i < values.length; i++) {
      value(indices[i], values[i]);
    }
  }

  /**
   * The least or the greatest element is one that the box may have had. If nothing has changed
   * meanwhile, each element may have a value that is not beyond it.
   */
  private void ranked(double value) {
    boolean isLeast = ranks++ == 0;
    long now = run.time().now();
    ValueModel model = run.model(plan.array());
    int[] indices = plan.box().indices(array.shape());
    boolean isThere =
        Arrays.stream(indices)
            .anyMatch(
                index ->
                    model.allowsOne(
                        index,
                        its -> its == value,
                        operation.began(),
                        operation.oldestBegan(),
                        now));
    boolean isBeyondNone =
        changes() > 0
            || Arrays.stream(indices)
                .allMatch(
                    index ->
                        model.allowsOne(
                            index,
                            its -> isLeast ? its >= value : its <= value,
                            operation.began(),
                            operation.oldestBegan(),
                            now));
    if ((!isThere || !isBeyondNone) && !isUndetectable()) {
      run.found(
          Rule.VALUES,
          operation,
          operation + " found " + value + " as the " + (isLeast ? "least" : "greatest"));
    }
  }

  /** Pieces need not end where an element ends. */
  private void bytes(Bytes piece) {
    boolean isDecoded = plan.kind() == PlannedOperation.Kind.BYTES_DECODED;
    int size = isDecoded ? Double.BYTES : Integer.BYTES;
    for (int i = 0; i < piece.size(); i++) {
      partOfElement |= (piece.get(i) & 0xffL) << 8 * (bytesGiven % size);
      if (++bytesGiven % size == 0) {
        value(
            plan.box().index(bytesGiven / size - 1, array.shape()),
            isDecoded
                ? Halves.stored(Double.longBitsToDouble(partOfElement))
                : (int) partOfElement);
        partOfElement = 0;
      }
    }
  }

  private void value(int index, int value) {
    if (isGiven[index]) {
      run.found(Rule.COMPLETE, operation, operation + " was given element " + index + " twice");
    }
    isGiven[index] = true;
    given[index] = value;
    long now = run.time().now();
    if (!isAllowed(index, value, now) && !isUndetectable()) {
      run.found(
          Rule.VALUES,
          operation,
          operation
              + " from "
              + operation.began()
              + " to "
              + now
              + " read element "
              + index
              + " of array "
              + plan.array()
              + " as "
              + run.model(plan.array()).nameOf(value)
              + "; written by"
              + run.model(plan.array()).historyOf(index));
    }
  }

  /** Returns true for a value that the element may have, or one of its window. */
  private boolean isAllowed(int index, int value, long now) {
    int row = 1;
    for (int d = 1; d < array.shape().length; d++) {
      row *= (int) array.shape()[d];
    }
    int window = plan.kind() == PlannedOperation.Kind.ROLLED ? CalculatedElements.WINDOW : 1;
    for (int i = 0; i < window && index - i * row >= 0; i++) {
      if (run.model(plan.array())
          .allows(index - i * row, value, operation.began(), operation.oldestBegan(), now)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true where a shard was replaced meanwhile in a store that has no versions. */
  private boolean isUndetectable() {
    return array.isSharded() && !run.scenario().stack().kind().hasVersions() && changes() > 0;
  }

  private long changes() {
    return run.model(plan.array()).changesBetween(operation.oldestBegan(), run.time().now());
  }

  void complete() {
    oneVersion();
    switch (plan.kind()) {
      case READ, CHUNKS, CHUNKS_IN_ORDER, BYTES, READ_DECODED, BYTES_DECODED, FORMULA, ROLLED -> {
        for (int index : plan.box().indices(array.shape())) {
          if (!isGiven[index]) {
            run.found(Rule.COMPLETE, operation, operation + " completed without element " + index);
            return;
          }
        }
      }
      case RANKED -> {
        if (ranks != 2) {
          run.found(Rule.COMPLETE, operation, operation + " completed after " + ranks + " results");
        }
      }
      case COPY -> run.judgeCopy(operation);
      default -> {}
    }
  }

  void failed(Throwable error) {
    SimulatedCommits commits = run.commits();
    if (commits != null) {
      if (!commits.isExpected(operation, error)) {
        run.found(Rule.ERRORS, operation, operation + " failed: " + described(error));
      }
      return;
    }
    if (!isExpected(error)) {
      run.found(Rule.ERRORS, operation, operation + " failed: " + described(error));
    } else if (error instanceof ZarrException located && !isLocated(located.location())) {
      run.found(
          Rule.ERRORS, operation, operation + " failed without a location: " + described(error));
    }
  }

  private boolean isExpected(Throwable error) {
    if (error instanceof NodeNotFoundException) {
      return run.scenario().has(PlannedOperation.Kind.ERASE);
    }
    if ((error instanceof UnfinishedAppendException || error instanceof UnfinishedResizeException)
        && error.getCause() != null) {
      return isExpected(error.getCause());
    }
    return (error instanceof MemoryExhaustedException && run.mayRefuse(plan.hierarchy()))
        || (error instanceof TransientStoreException
            && !outlastsFaults()
            && run.requests().lastFault() >= operation.oldestBegan())
        || (error instanceof PreconditionFailedException && changes() >= MOST_REPLACEMENTS)
        || (error instanceof UnsupportedFeatureException
            && plan.kind() == PlannedOperation.Kind.RANKED
            && changes() > 0)
        || (error instanceof ZarrException && isUndetectable());
  }

  /** Returns true for a read by a patient stack while nothing goes wrong but a restart. */
  private boolean outlastsFaults() {
    return plan.kind().isRead()
        && run.scenario().stack().isPatient()
        && run.scenario().faults().stream()
            .allMatch(fault -> fault.kind() == PlannedFault.Kind.RESTART);
  }

  private static boolean isLocated(Location location) {
    return location.nodePath() != null || location.storeKey() != null;
  }

  private static String described(Throwable error) {
    StringBuilder text = new StringBuilder(error.toString());
    for (StackTraceElement frame :
        Arrays.asList(error.getStackTrace())
            .subList(0, Math.min(6, error.getStackTrace().length))) {
      text.append("\n      at ").append(frame);
    }
    if (error.getCause() != null) {
      text.append("\n      because ").append(error.getCause());
    }
    return text.toString();
  }
}
