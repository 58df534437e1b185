package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewDataset;
import dev.zarrreactive.dataset.NewVariable;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.StagedStore;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The append of one dataset to another along a dimension: of all variables that have it.
 *
 * @param hierarchy of the dataset that grows
 * @param parts the variables of the other one
 * @param labels the coordinates of its other dimensions, which must be those of the dataset
 */
record AppendedDataset(
    ZarrHierarchy hierarchy,
    Dataset dataset,
    String dimension,
    List<Variable> parts,
    List<Variable> labels,
    boolean isConsolidated,
    boolean isInAnyOrder) {

  /**
   * Emits what is appended.
   *
   * @param source the dataset that is appended
   * @param isInAnyOrder whether times may step back
   */
  static Mono<AppendedDataset> of(
      NodePlace place, Dataset source, String dimension, boolean isInAnyOrder) {
    return Dataset.open(place.hierarchy(), place.node())
        .flatMap(
            dataset ->
                isConsolidated(place, dataset)
                    .map(
                        is ->
                            new AppendedDataset(
                                place.hierarchy(),
                                dataset,
                                dimension,
                                parts(source, dimension),
                                labels(source, dimension),
                                is,
                                isInAnyOrder)));
  }

  /**
   * Returns the dimension along which one dataset is appended to another: the only one that both
   * have and whose coordinate has times, or the only one that they share.
   *
   * @throws CommandFailure if there are none or several
   */
  static String dimension(Dataset dataset, Dataset source) {
    List<String> shared =
        source.sizes().keySet().stream().filter(dataset.sizes()::containsKey).toList();
    List<String> times = shared.stream().filter(name -> isOfTimes(dataset, name)).toList();
    List<String> candidates = times.isEmpty() ? shared : times;
    if (candidates.size() != 1) {
      throw new CommandFailure(
          candidates.isEmpty()
              ? "the dataset and SRC share no dimension; it has "
                  + String.join(", ", dataset.sizes().keySet())
                  + ", SRC "
                  + String.join(", ", source.sizes().keySet())
              : "--dimension NAME says along which dimension it grows: "
                  + String.join(", ", candidates));
    }
    return candidates.get(0);
  }

  private static boolean isOfTimes(Dataset dataset, String dimension) {
    Variable coordinate = dataset.variables().get(dimension);
    return coordinate != null && coordinate.times().isPresent();
  }

  private static List<Variable> parts(Dataset source, String dimension) {
    List<Variable> parts =
        source.variables().values().stream()
            .filter(variable -> variable.dimensions().contains(dimension))
            .toList();
    if (parts.isEmpty()) {
      throw new CommandFailure(
          "no variable of SRC has the dimension "
              + dimension
              + "; it has "
              + String.join(", ", source.sizes().keySet()));
    }
    return parts;
  }

  private static List<Variable> labels(Dataset source, String dimension) {
    return source.variables().values().stream()
        .filter(variable -> variable.dimensions().equals(List.of(variable.name())))
        .filter(variable -> !variable.name().equals(dimension))
        .toList();
  }

  private static Mono<Boolean> isConsolidated(NodePlace place, Dataset dataset) {
    GroupMetadata metadata = dataset.group().metadata();
    return metadata.zarrFormat() == 3
        ? Mono.just(metadata.carriesConsolidated())
        : place
            .hierarchy()
            .store()
            .get(NodePath.of(place.node()).key(NodePath.V2_CONSOLIDATED))
            .hasElement();
  }

  /** Returns the number of rows that are appended. */
  long rows() {
    Variable any = parts.get(0);
    return any.shape().extent(any.dimensions().indexOf(dimension));
  }

  /** Returns the number of bytes of the values. */
  long bytes() {
    long bytes = 0;
    for (Variable part : parts) {
      long its = SaturatingSize.bytes(part.shape(), part.dataType());
      bytes = bytes + its < 0 ? Long.MAX_VALUE : bytes + its;
    }
    return bytes;
  }

  /** Says what would change, with a line for each array. */
  List<String> forecast() {
    BigInteger all = BigInteger.ZERO;
    List<String> lines = new ArrayList<>();
    for (Variable part : parts) {
      Rows rows = rows(part);
      Variable grown = rows.grown();
      String converted = rows.values().toString();
      Shape before = grown.array().shape();
      Shape after = after(grown);
      BigInteger chunks = chunks(grown, after);
      all = all.add(chunks);
      lines.add(
          "  "
              + part.name()
              + " from "
              + before
              + " to "
              + after
              + ", "
              + counted(chunks, "chunk")
              + (converted.isEmpty() ? "" : ", converted: " + converted));
    }
    lines.add(
        0,
        "Would append "
            + rows()
            + " to the dimension "
            + dimension
            + ": "
            + counted(BigInteger.valueOf(parts.size()), "array")
            + ", "
            + counted(all, "chunk")
            + ".");
    return lines;
  }

  /** Returns the number of chunks that are written, by the path of their array. */
  Map<NodePath, BigInteger> chunks() {
    return parts.stream()
        .map(this::target)
        .collect(
            Collectors.toMap(grown -> grown.array().path(), grown -> chunks(grown, after(grown))));
  }

  /** Gives the arrays their extents, without a value. */
  Mono<Void> grow() {
    return Flux.fromIterable(parts)
        .map(this::target)
        .concatMap(grown -> grown.array().resize(after(grown)), 0)
        .then(
            Mono.defer(
                () ->
                    dataset.group().metadata().carriesConsolidated()
                        ? dataset.group().consolidate().then()
                        : Mono.empty()));
  }

  private Variable target(Variable part) {
    Variable grown = dataset.variables().get(part.name());
    if (grown == null || !grown.dimensions().equals(part.dimensions())) {
      throw new CommandFailure(
          grown == null
              ? "the dataset has no variable " + part.name() + "; an append adds rows to all"
              : "the variable "
                  + part.name()
                  + " has the dimensions "
                  + grown.dimensions()
                  + ", that of SRC "
                  + part.dimensions());
    }
    return grown;
  }

  private Shape after(Variable grown) {
    long[] extents = grown.array().shape().toArray();
    int axis = grown.dimensions().indexOf(dimension);
    extents[axis] = Math.addExact(extents[axis], rows());
    return Shape.of(extents);
  }

  /** Returns the number of chunks, or of shards, that get values. */
  private BigInteger chunks(Variable grown, Shape after) {
    return chunks(grown.array().metadata(), after, grown.dimensions().indexOf(dimension));
  }

  /** Returns the number of chunks, or of shards, that an array gets or changes as it grows. */
  static BigInteger chunks(ArrayMetadata array, Shape after, int axis) {
    ChunkGrid grid = ChunkGrid.of(ChunkGrid.grown(array.chunkGrid(), after), after);
    long before = array.shape().extent(axis);
    BigInteger chunks = BigInteger.ONE;
    for (int d = 0; d < after.rank(); d++) {
      long count = grid.gridShape().extent(d);
      if (d == axis) {
        count = after.extent(d) == before ? 0 : count - grid.dimension(d).chunkOf(before);
      }
      chunks = chunks.multiply(BigInteger.valueOf(count));
    }
    return chunks;
  }

  static String counted(BigInteger count, String what) {
    return count + " " + what + (count.equals(BigInteger.ONE) ? "" : "s");
  }

  /**
   * Appends the values. SRC is read once where both datasets say the same about a variable: then
   * its stored elements are appended. Values that are encoded anew are encoded once before an array
   * grows, so that one that does not fit is refused in time; of a commit, which stores all or
   * nothing, they are not.
   *
   * @param place the dataset in the user's words
   * @param above the paths of the groups above with consolidated metadata
   * @param progress is told the bytes of each block
   */
  Mono<Void> append(String place, List<NodePath> above, LongConsumer progress) {
    List<Rows> all = parts.stream().map(this::rows).toList(); // refuses variables that do not fit
    Rows leader =
        all.stream()
            .filter(rows -> rows.name().equals(dimension))
            .findFirst()
            .orElseGet(
                () -> all.stream().min((a, b) -> a.name().compareTo(b.name())).orElseThrow());
    List<Rows> others = all.stream().filter(rows -> !rows.name().equals(leader.name())).toList();
    return leader
        .all()
        .flatMap(
            elements -> {
              NewDataset written =
                  Dataset.builder().consolidated(isConsolidated).inAnyOrder(isInAnyOrder);
              labels.forEach(written::coordinate);
              if (leader.name().equals(dimension)) {
                written.coordinate(dimension, elements, NewVariable::raw);
              } else {
                written.variable(leader.name(), leader.dimensions(), elements, NewVariable::raw);
              }
              for (Rows rows : all) {
                for (int d = 0; d < rows.dimensions().size(); d++) {
                  if (!rows.dimensions().get(d).equals(dimension)) {
                    written.dimension(rows.dimensions().get(d), rows.source().shape().extent(d));
                  }
                }
              }
              for (Rows rows : others) {
                written.variable(
                    rows.name(),
                    rows.dimensions(),
                    rows.grown().array().dataType(),
                    rows.blocks().doOnNext(block -> progress.accept(bytes(block))),
                    NewVariable::raw);
              }
              DatasetMark mark = new DatasetMark(hierarchy, dataset.group(), place);
              List<NodePath> consolidated = new ArrayList<>(above);
              if (isConsolidated) {
                consolidated.add(dataset.path());
              }
              Mono<Void> growth =
                  written
                      .appendTo(hierarchy, dataset.path().value(), dimension)
                      .onErrorResume(Exception.class, error -> fail(place, mark, error));
              Mono<Void> appended =
                  mark.leave(shapes(), consolidated).then(growth).then(Mono.defer(mark::forget));
              return isCommit()
                  ? appended
                  : Flux.fromIterable(others)
                      .filter(rows -> !rows.values().areStored())
                      .concatMap(rows -> rows.blocks().then(), 0)
                      .then(appended);
            });
  }

  /**
   * The elements that one array gets.
   *
   * @param source SRC's variable: stored elements where these are appended, else values
   */
  private record Rows(Variable grown, Variable source, AppendedValues values) {
    String name() {
      return grown.name();
    }

    List<String> dimensions() {
      return source.dimensions();
    }

    /** Emits all elements. */
    Mono<NdArray> all() {
      return source.read().map(read -> elements(read, 0));
    }

    /** Emits the elements, as many rows at a time as a chunk of the array has. */
    Flux<NdArray> blocks() {
      String first = dimensions().get(0);
      long extent = source.shape().extent(0);
      long step = Math.max(1, grown.array().chunkGrid().largestChunkShape().extent(0));
      return Flux.fromStream(
              () -> LongStream.iterate(0, from -> from < extent, from -> from + step).boxed())
          .concatMap(
              from ->
                  source
                      .isel(first, DimensionSelection.slice(from, Math.min(extent, from + step)))
                      .read()
                      .map(read -> elements(read, from)),
              0);
    }

    private NdArray elements(NdArray read, long from) {
      if (values.areStored()) {
        return read;
      }
      long[] start = new long[read.shape().rank()];
      start[0] = from;
      try {
        return values.encoded(read, start);
      } catch (CommandFailure e) {
        throw new CommandFailure(name() + ": " + e.getMessage(), e);
      }
    }
  }

  private Rows rows(Variable part) {
    Variable grown = target(part);
    try {
      AppendedValues values = AppendedValues.of(grown, part, true);
      return new Rows(grown, values.areStored() ? part.raw() : part, values);
    } catch (CommandFailure e) {
      throw new CommandFailure(part.name() + ": " + e.getMessage(), e);
    }
  }

  private boolean isCommit() {
    return StagedStore.isOne(hierarchy.store());
  }

  /** Removes the mark where no array has grown; otherwise adds what helps. */
  private Mono<Void> fail(String place, DatasetMark mark, Exception error) {
    if (isCommit()) {
      return Mono.error(error);
    }
    return mark.hasGrown(shapes())
        .flatMap(
            hasGrown ->
                hasGrown
                    ? Mono.error(
                        CommandFailure.isOfMemory(error)
                            ? error
                            : CommandFailure.advised(error, "; " + remains(place)))
                    : mark.forget().onErrorComplete(ZarrException.class).then(Mono.error(error)));
  }

  /** Returns the shapes of the arrays that grow. */
  private Map<String, Shape> shapes() {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    parts.forEach(part -> shapes.put(part.name(), target(part).array().shape()));
    return shapes;
  }

  /** Says what an append that has not ended leaves; empty for a commit. */
  String remains(String place) {
    return isCommit()
        ? ""
        : "the arrays of the dimension "
            + dimension
            + " may have grown by a part of SRC; "
            + DatasetMark.advice(shapes(), place);
  }

  private static long bytes(NdArray block) {
    return SaturatingSize.bytes(block.shape(), block.dataType());
  }
}
