package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.expression.Evaluation;
import dev.zarrreactive.internal.expression.Formula;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The values of a formula of other variables, which share dimensions by name. They are calculated
 * on codec threads, block by block of a {@link BlockGrid}; each source is read once for a block. A
 * small source that lacks a dimension is read once for all of them.
 */
final class ComputedValues extends CalculatedValues {
  /** The formula of the values, and others that are calculated with it. */
  private final List<Formula> formulas;

  private final List<VariableValues> sources;
  private final Map<String, Long> sizes;

  private ComputedValues(
      List<Formula> formulas, List<VariableValues> sources, Map<String, Long> sizes) {
    this.formulas = List.copyOf(formulas);
    this.sources = List.copyOf(sources);
    this.sizes = sizes;
  }

  /**
   * Returns a formula of variables; computed ones are calculated with it.
   *
   * @throws IllegalArgumentException if a dimension has two extents, or for values that the formula
   *     does not take
   */
  static ComputedValues of(
      List<VariableValues> operands, Function<List<Formula>, Formula> formula) {
    return ofSeveral(operands, of -> List.of(formula.apply(of)));
  }

  /** Returns several formulas of variables, which are calculated together. */
  static ComputedValues ofSeveral(
      List<VariableValues> operands, Function<List<Formula>, List<Formula>> results) {
    List<VariableValues> sources = new ArrayList<>();
    List<Formula> formulas = new ArrayList<>();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (VariableValues operand : operands) {
      addSizes(operand, sizes);
      if (operand instanceof ComputedValues computed) {
        List<Formula> its =
            computed.sources.stream().map(source -> numbered(source, sources)).toList();
        formulas.add(computed.formulas.get(0).with(its::get));
      } else {
        formulas.add(numbered(operand, sources));
      }
    }
    return new ComputedValues(results.apply(formulas), sources, sizes);
  }

  private static void addSizes(VariableValues values, Map<String, Long> sizes) {
    List<String> names = values.dimensions();
    for (int d = 0; d < names.size(); d++) {
      long extent = values.shape().extent(d);
      Long other = sizes.putIfAbsent(names.get(d), extent);
      if (other != null && other != extent) {
        throw new IllegalArgumentException(
            "the dimension "
                + names.get(d)
                + " has the extent "
                + other
                + " in one variable, and "
                + extent
                + " in another; select the same part of both");
      }
    }
  }

  private static Formula numbered(VariableValues source, List<VariableValues> sources) {
    int number = sources.indexOf(source);
    if (number < 0) {
      number = sources.size();
      sources.add(source);
    }
    return Formula.source(number, source.dataType());
  }

  @Override
  public DataType dataType() {
    return formulas.get(0).type();
  }

  @Override
  public List<String> dimensions() {
    return List.copyOf(sizes.keySet());
  }

  @Override
  public Shape shape() {
    return Shape.of(sizes.values().stream().mapToLong(size -> size).toArray());
  }

  @Override
  public Axis positions(int dimension) {
    return new Axis.Range(0, shape().extent(dimension), 1, false);
  }

  @Override
  public Optional<Long> chunk(int dimension) {
    return sources.stream().anyMatch(ComputedValues::isRead)
        ? Optional.of(grid().chunk(dimension))
        : Optional.empty();
  }

  @Override
  public Map<String, Boolean> along() {
    Map<String, Boolean> along = new LinkedHashMap<>();
    sources.forEach(
        source ->
            source
                .along()
                .forEach((name, isWhole) -> along.merge(name, isWhole, Boolean::logicalOr)));
    return along;
  }

  @Override
  public long[] edges(int dimension) {
    return grid().edges(dimension);
  }

  /** Returns true for values that are not in memory. */
  private static boolean isRead(VariableValues values) {
    return !(values instanceof MemoryValues);
  }

  private BlockGrid grid() {
    List<VariableValues> held = new ArrayList<>(sources);
    held.add(this);
    BlockGrid.Needs needs = BlockGrid.Needs.of(sources);
    return new BlockGrid(dimensions(), sources, held, needs, options().maxInFlightBytes());
  }

  @Override
  public ComputedValues with(String dimension, Axis positions) {
    if (!sizes.containsKey(dimension)) {
      return this;
    }
    Map<String, Long> selected = new LinkedHashMap<>(sizes);
    if (positions instanceof Axis.Range range && range.dropped()) {
      selected.remove(dimension);
    } else {
      selected.put(dimension, positions.count());
    }
    return new ComputedValues(
        formulas, sources.stream().map(its -> its.with(dimension, positions)).toList(), selected);
  }

  @Override
  public ComputedValues renamed(String dimension, String other) {
    Map<String, Long> named = new LinkedHashMap<>();
    sizes.forEach((name, size) -> named.put(name.equals(dimension) ? other : name, size));
    return new ComputedValues(
        formulas, sources.stream().map(its -> its.renamed(dimension, other)).toList(), named);
  }

  @Override
  public Optional<TimeCoding> times() {
    return Optional.empty();
  }

  @Override
  ComputedValues with(List<Axis> axes) {
    ComputedValues part = this;
    List<String> names = dimensions();
    for (int d = 0; d < names.size(); d++) {
      part = part.with(names.get(d), axes.get(d));
    }
    return part;
  }

  @Override
  Mono<Void> assemble(PlacedElements whole) {
    return Mono.defer(
        () -> {
          BlockGrid grid = grid();
          return kept()
              .flatMap(
                  kept ->
                      Concurrently.map(
                              Flux.fromIterable(grid.blocks()),
                              grid.ahead(),
                              block ->
                                  kept.block(block)
                                      .doOnNext(values -> whole.put(values.get(0), block.axes())))
                          .then());
        });
  }

  @Override
  Mono<NdArray> readPoints(ResolvedSelection.Points points) {
    List<String> all = dimensions();
    List<String> one = List.of("points");
    Mono<List<NdArray>> values =
        evaluated(
            one,
            Shape.of(points.count()),
            source -> {
              List<String> names = source.dimensions();
              if (names.isEmpty()) {
                return source
                    .read(Selection.all())
                    .map(scalar -> new Evaluation.Operand(List.of(), scalar));
              }
              long[][] its = new long[points.count()][names.size()];
              for (int p = 0; p < its.length; p++) {
                for (int d = 0; d < names.size(); d++) {
                  its[p][d] = points.index(all.indexOf(names.get(d)), p);
                }
              }
              return source
                  .read(Selection.points(its))
                  .map(elements -> new Evaluation.Operand(one, elements));
            });
    return values.map(results -> results.get(0));
  }

  private Mono<List<NdArray>> evaluated(
      List<String> names, Shape shape, Function<VariableValues, Mono<Evaluation.Operand>> read) {
    return Concurrently.mapInOrder(Flux.fromIterable(sources), Math.max(1, sources.size()), read)
        .collectList()
        .publishOn(options().codecScheduler())
        .map(operands -> Evaluation.of(names, shape, operands, formulas));
  }

  /** Reads the small sources that lack a dimension, which several blocks need. */
  private Mono<ComputedValues> kept() {
    long most = options().maxInFlightBytes() / 16;
    return Concurrently.mapInOrder(
            Flux.fromIterable(sources), Math.max(1, sources.size()), source -> kept(source, most))
        .collectList()
        .map(all -> new ComputedValues(formulas, all, sizes));
  }

  private Mono<VariableValues> kept(VariableValues source, long most) {
    long bytes =
        ByteBudget.product(
            source.shape().elementCountUpTo(Long.MAX_VALUE), source.dataType().memorySize());
    boolean isKept =
        isRead(source)
            && source.dimensions().size() < sizes.size()
            && bytes <= most / sources.size();
    return isKept
        ? source.read(Selection.all()).map(values -> new MemoryValues(source.dimensions(), values))
        : Mono.just(source);
  }

  private Mono<List<NdArray>> block(BlockGrid.Block block) {
    List<String> names = dimensions();
    long[] extents = new long[names.size()];
    Arrays.setAll(extents, d -> block.to().get(d) - block.from().get(d));
    return evaluated(
        names,
        Shape.of(extents),
        source -> {
          DimensionSelection[] box =
              source.dimensions().stream()
                  .map(names::indexOf)
                  .map(d -> DimensionSelection.slice(block.from().get(d), block.to().get(d)))
                  .toArray(DimensionSelection[]::new);
          return source
              .read(Selection.of(box))
              .map(values -> new Evaluation.Operand(source.dimensions(), values));
        });
  }

  @Override
  public Flux<Chunk> chunks(Selection selection) {
    return chunks(selection, false);
  }

  @Override
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return chunks(selection, true);
  }

  private Flux<Chunk> chunks(Selection selection, boolean isInOrder) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (resolved instanceof ResolvedSelection.Orthogonal box) {
      return with(box.axes()).blocks(isInOrder, box.axes(), chunks -> chunks.get(0));
    }
    return readPoints((ResolvedSelection.Points) resolved)
        .map(values -> new Chunk(new long[sizes.size()], resolved, values))
        .flux();
  }

  @Override
  public <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work) {
    return blocks(isInOrder, allPositions(), chunks -> work.apply(chunks.get(0)));
  }

  /** Streams what codec threads make of the results of all formulas, block by block in order. */
  <T> Flux<T> chunksOfAll(Function<List<Chunk>, T> work) {
    return blocks(true, allPositions(), work);
  }

  private List<Axis> allPositions() {
    List<Axis> all = new ArrayList<>();
    for (int d = 0; d < sizes.size(); d++) {
      all.add(positions(d));
    }
    return all;
  }

  /**
   * Streams what is made of the blocks.
   *
   * @param axes the place of these values in others
   */
  private <T> Flux<T> blocks(boolean isInOrder, List<Axis> axes, Function<List<Chunk>, T> work) {
    return Flux.defer(
        () -> {
          BlockGrid grid = grid();
          return kept()
              .flatMapMany(
                  kept -> {
                    Function<BlockGrid.Block, Mono<T>> read =
                        block ->
                            kept.block(block)
                                .map(
                                    all ->
                                        work.apply(
                                            all.stream()
                                                .map(values -> block.chunk(axes, values))
                                                .toList()));
                    Flux<BlockGrid.Block> blocks = Flux.fromIterable(grid.blocks());
                    return isInOrder
                        ? Concurrently.mapInOrder(blocks, grid.ahead(), read)
                        : Concurrently.map(blocks, grid.ahead(), read);
                  });
        });
  }

  @Override
  public @Nullable CfDecoding decoding() {
    return null;
  }

  @Override
  public ZarrOptions options() {
    return sources.stream()
        .filter(ComputedValues::isRead)
        .map(VariableValues::options)
        .findFirst()
        .orElse(MemoryValues.OPTIONS);
  }

  @Override
  public Location location() {
    return sources.stream()
        .filter(ComputedValues::isRead)
        .map(VariableValues::location)
        .findFirst()
        .orElse(Location.UNKNOWN);
  }
}
