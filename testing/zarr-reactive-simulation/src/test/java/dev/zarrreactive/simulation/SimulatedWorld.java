package dev.zarrreactive.simulation;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The arrays of a scenario: the values, the store stack over them, and its hierarchies. */
final class SimulatedWorld {
  private static final int PIECE = 100;

  private final Simulation run;
  private final Scenario scenario;
  private final Store values = MemoryStore.create();
  private final Observations observations = new Observations();
  private final @Nullable RequestLimit stackLimit;
  private final List<@Nullable RequestLimit> limits = new ArrayList<>();
  private final List<ZarrHierarchy> hierarchies = new ArrayList<>();

  private final @Nullable GrowingArray growing;
  private final @Nullable SimulatedRepository repository;
  private final @Nullable SimulatedCommits commits;

  /** Another program, which needs no time. */
  private final ZarrHierarchy other;

  SimulatedWorld(Simulation run) {
    this.run = run;
    this.scenario = run.scenario();
    this.other =
        Zarr.hierarchy(
            values,
            ZarrOptions.defaults()
                .withCodecScheduler(Schedulers.immediate())
                .withMaxInFlightBytes(1 << 20));
    this.stackLimit = scenario.stack().requestLimit();
    this.repository =
        scenario.stack().kind() == StoreKind.REPOSITORY ? new SimulatedRepository(values) : null;
    this.commits = scenario.stack().kind() == StoreKind.COMMITS ? new SimulatedCommits(run) : null;
    Store far =
        commits != null ? commits.files() : repository != null ? repository.files() : values;
    Store origin =
        scenario.stack().kind() == StoreKind.REFERENCES
            ? new SimulatedReferences(run, values)
            : new SimulatedOrigin(run, far, scenario.stack().kind());
    Store store = scenario.stack().over(origin, stackLimit, observations);
    for (HierarchyPlan plan : scenario.hierarchies()) {
      RequestLimit limit = plan.limit() == 0 ? null : RequestLimit.fixed(plan.limit());
      limits.add(limit);
      hierarchies.add(Zarr.hierarchy(store, plan.options(limit, observations)));
    }
    for (ArrayPlan array : scenario.arrays()) {
      Immediately.get(other.createArray(array.path(), array.metadata()));
    }
    ArrayPlan log = AppendedLog.plan(scenario);
    Immediately.get(other.createArray(log.path(), log.metadata()));
    this.growing = scenario.has(Kind.GROW) ? new GrowingArray(run, other) : null;
    commit();
  }

  /** Commits what is stored, where there is a repository. */
  private void commit() {
    if (repository != null) {
      repository.commit(
          scenario.arrays().stream()
              .map(array -> read(other.array(array.path(), array.metadata())))
              .toList());
    }
  }

  /** The repository; null where the scenario has none. */
  @Nullable SimulatedRepository repository() {
    return repository;
  }

  /** The repository that operations commit to; null where the scenario has none. */
  @Nullable SimulatedCommits commits() {
    return commits;
  }

  /** Returns the array that grows and shrinks. */
  GrowingArray growing() {
    return Objects.requireNonNull(growing);
  }

  @Nullable RequestLimit stackLimit() {
    return stackLimit;
  }

  List<@Nullable RequestLimit> limits() {
    return limits;
  }

  List<ZarrHierarchy> hierarchies() {
    return hierarchies;
  }

  Observations observations() {
    return observations;
  }

  void begin(RunningOperation operation) {
    PlannedOperation plan = operation.plan();
    if (plan.kind().isForeign()) {
      foreign(plan);
      operation.begin(Flux.empty());
      return;
    }
    ZarrHierarchy hierarchy = hierarchies.get(plan.hierarchy());
    if (commits != null) {
      operation.begin(commits.work(plan, hierarchy.store()));
      return;
    }
    operation.begin(
        repository == null
            ? work(plan, hierarchy)
            : repository
                .open(hierarchy.store(), hierarchy.options())
                .flatMapMany(version -> work(plan, version)));
  }

  private Flux<?> work(PlannedOperation plan, ZarrHierarchy hierarchy) {
    ArrayPlan planned = run.array(plan.array());
    ZarrArray array = hierarchy.array(planned.path(), planned.metadata());
    Selection selection = plan.box().selection();
    return switch (plan.kind()) {
      case OPEN -> hierarchy.openArray(planned.path()).flux();
      case READ -> array.read(selection).flux();
      case READ_CHUNK -> array.readChunk(planned.chunkOf(plan.box())).flux();
      case CHUNKS -> array.chunks(selection);
      case CHUNKS_IN_ORDER -> array.chunksInOrder(selection);
      case BYTES -> array.readBytes(selection, PIECE);
      case READ_DECODED ->
          plan.isIntoMemory()
              ? Halves.readInto(array, selection).flux()
              : Halves.read(array, selection).flux();
      case BYTES_DECODED -> Halves.bytes(array, selection, PIECE);
      case FORMULA -> CalculatedElements.formula(array, selection);
      case ROLLED -> CalculatedElements.rolled(array, selection);
      case RANKED -> CalculatedElements.ranked(array, plan.box());
      case WRITE, CLEAR ->
          plan.isInChunks()
              ? array.write(chunks(plan)).flux()
              : plan.isInBlocks()
                  ? array.write(selection, blocks(plan)).flux()
                  : array.write(selection, data(plan)).flux();
      case ERASE -> hierarchy.erase(planned.path()).flux();
      case COPY ->
          ZarrCopy.of(hierarchy, hierarchy).from(planned.path()).to("copy" + plan.id()).run();
      case APPEND -> log(hierarchy).append(0, AppendedLog.block(plan)).flux();
      case LIST -> hierarchy.store().list().collectList().flux();
      case GROW -> growing().begin(plan, hierarchy);
      case COMMIT, AMEND, REF, LOOK, CLEAN ->
          throw new IllegalArgumentException("of no array: " + plan);
      case FOREIGN_WRITE, FOREIGN_APPEND ->
          throw new IllegalArgumentException("needs no time: " + plan);
    };
  }

  /** The operation of another program is over at once, so that its model is, too. */
  private void foreign(PlannedOperation plan) {
    if (plan.kind() == Kind.FOREIGN_APPEND) {
      Immediately.get(log(other).append(0, AppendedLog.block(plan)));
      return;
    }
    ArrayPlan planned = run.array(plan.array());
    ZarrArray array = other.array(planned.path(), planned.metadata());
    Immediately.get(array.write(plan.box().selection(), data(plan)));
    commit();
  }

  /** Returns the log as it was created, however long it is by now. */
  private ZarrArray log(ZarrHierarchy hierarchy) {
    ArrayPlan log = AppendedLog.plan(scenario);
    return hierarchy.array(log.path(), log.metadata());
  }

  private Flux<NdArray> blocks(PlannedOperation plan) {
    NdArray data = data(plan);
    long[] shape = data.shape().toArray();
    int rows = (int) shape[0];
    int block = 1 + plan.id() % 5;
    return Flux.range(0, (rows + block - 1) / block)
        .map(
            number -> {
              long[] offset = new long[shape.length];
              long[] part = shape.clone();
              offset[0] = (long) number * block;
              part[0] = Math.min(block, rows - offset[0]);
              return data.slice(Selection.box(offset, part));
            });
  }

  private Flux<Chunk> chunks(PlannedOperation plan) {
    SplittableRandom chance = new SplittableRandom(scenario.seed() * 31 + plan.id());
    long[] shape = run.array(plan.array()).shape();
    return Flux.fromIterable(GrowingArray.chunks(plan.box(), data(plan), shape, chance));
  }

  private NdArray data(PlannedOperation plan) {
    ArrayPlan array = run.array(plan.array());
    int[] values = plan.box().indices(array.shape());
    for (int i = 0; i < values.length; i++) {
      values[i] = plan.kind() == Kind.CLEAR ? array.fill() : ValueModel.value(plan.id(), values[i]);
    }
    return NdArray.ofInts(DataTypes.INT32, plan.box().shape(), values);
  }

  /** Returns a read of some elements of the same array, by the same hierarchy. */
  PlannedOperation inside(PlannedOperation outer, SplittableRandom chance) {
    Box box = ScenarioGenerator.anyBox(run.array(outer.array()), chance);
    return new PlannedOperation(
        outer.id(), Kind.READ, 0, outer.hierarchy(), outer.array(), box, Pace.FAST, -1);
  }

  /** The copy holds values that may have been read while it was made. */
  void judgeCopy(RunningOperation copy) {
    ArrayPlan array = run.array(copy.plan().array());
    ZarrArray target = Immediately.get(other.openArray("copy" + copy.plan().id()));
    if (target == null) {
      run.found(Rule.COMPLETE, copy, copy + " completed and there is no array");
      return;
    }
    judge(copy + " stored", copy, array, target);
  }

  /** What is stored in the end is what was last written. */
  void judgeValues() {
    if (commits != null) {
      commits.judge();
    }
    ZarrArray log = Immediately.get(other.openArray("log"));
    AppendedLog.judge(run, run.operations(), log == null ? new int[0] : read(log));
    if (growing != null) {
      growing.judgeValues();
    }
    for (int a = 0; a < scenario.arrays().size(); a++) {
      ArrayPlan array = run.array(a);
      int[] stored = read(other.array(array.path(), array.metadata()));
      long now = run.time().now();
      for (int i = 0; i < stored.length; i++) {
        if (!run.model(a).allows(i, stored[i], now, now, now)) {
          run.found(
              Rule.VALUES,
              "in the end element "
                  + i
                  + " of array "
                  + a
                  + " is stored as "
                  + run.model(a).nameOf(stored[i])
                  + "; written by"
                  + run.model(a).historyOf(i));
        }
      }
    }
  }

  private void judge(String what, RunningOperation copy, ArrayPlan array, ZarrArray target) {
    int[] stored = read(target);
    ValueModel model = run.model(copy.plan().array());
    long now = run.time().now();
    for (int i = 0; i < stored.length; i++) {
      if (!model.allows(i, stored[i], copy.began(), copy.oldestBegan(), now)
          && !(array.isSharded()
              && !scenario.stack().kind().hasVersions()
              && model.changesBetween(copy.oldestBegan(), now) > 0)) {
        run.found(
            Rule.VALUES,
            copy,
            what
                + " element "
                + i
                + " as "
                + model.nameOf(stored[i])
                + "; written by"
                + model.historyOf(i));
      }
    }
  }

  private static int[] read(ZarrArray array) {
    NdArray elements = Immediately.get(array.read(Selection.all()));
    return elements == null ? new int[0] : elements.toIntArray();
  }
}
