package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.PlannedOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes scenarios, each from its seed alone. A family of seeds begins at each multiple of {@link
 * #FAMILY}. It changes the scenario of the seed that is less by so much: from {@link #GROWING} on
 * it adds streams of chunks, and an array that grows and shrinks; from {@link #DECODING} on reads
 * decode elements; from {@link #AT_ONCE} on the store fails at once; from {@link #CROWDED} on a
 * {@link Crowd} reads the arrays; from {@link #RESTARTING} on the server restarts, once and without
 * other faults; from {@link #REFERRING} on values are parts of objects elsewhere, and are read;
 * from {@link #VERSIONED} on arrays are in an Icechunk repository, to which another program
 * commits; from {@link #KEYED} on requests need a key, which expires and is renewed; from {@link
 * #COMMITTING} on operations commit to an Icechunk repository, and change its branches and tags;
 * from {@link #CALCULATING} on reads are formulas and windows of a dataset's variables; from {@link
 * #CLEANING} on snapshots of such a repository expire, and its garbage is collected, too; from
 * {@link #RANKING} on reads find the least and the greatest element, in several passes. So a new
 * family leaves the scenarios of all other seeds as they are.
 */
final class ScenarioGenerator {
  /** The number of seeds of a family. */
  static final long FAMILY = 1_000_000_000_000L;

  /** The first seed of scenarios with a growing array. */
  static final long GROWING = FAMILY;

  /** The first seed of scenarios with reads of decoded elements. */
  static final long DECODING = 2 * FAMILY;

  /** The first seed of scenarios with a store that fails at once. */
  static final long AT_ONCE = 3 * FAMILY;

  /** The first seed of scenarios with a server that restarts. */
  static final long RESTARTING = 5 * FAMILY;

  /** The first seed of scenarios with values that are parts of objects elsewhere. */
  static final long REFERRING = 6 * FAMILY;

  /** The first seed of scenarios with a repository of versions. */
  static final long VERSIONED = 7 * FAMILY;

  /** The first seed of scenarios in which many read the same at the same time. */
  static final long CROWDED = 4 * FAMILY;

  /** The first seed of scenarios with keys that expire. */
  static final long KEYED = 8 * FAMILY;

  /** The first seed of scenarios of commits to a repository. */
  static final long COMMITTING = 9 * FAMILY;

  /** The first seed of scenarios with variables that are calculated. */
  static final long CALCULATING = 10 * FAMILY;

  /** The first seed of scenarios of commits to a repository that is cleaned. */
  static final long CLEANING = 11 * FAMILY;

  /** The first seed of scenarios with quantiles. */
  static final long RANKING = 12 * FAMILY;

  private static final int MOST_COMMITS = 14;
  private static final int MOST_IN_CHUNKS = 3;
  private static final int MOST_OPERATIONS = 15;
  private static final int MOST_FAULTS = 8;
  private static final int REQUESTS_WITH_FAULTS = 90;

  private final long seed;
  private final SplittableRandom chance;

  /** Whether caches ask each time, so that another program's writes are seen. */
  private final boolean seesOthers;

  private ScenarioGenerator(long seed) {
    this.seed = seed;
    this.chance = new SplittableRandom(seed ^ 0x5eed);
    this.seesOthers = isRarely();
  }

  /** Returns the scenario of a seed. */
  static Scenario of(long seed) {
    Scenario base = new ScenarioGenerator(seed % FAMILY).scenario();
    long family = seed - seed % FAMILY;
    if (family == GROWING) {
      return growing(base, seed);
    }
    if (family == DECODING) {
      return decoding(base, seed);
    }
    if (family == AT_ONCE) {
      return atOnce(base, seed);
    }
    if (family == CROWDED) {
      return Crowd.scenario(base, seed);
    }
    if (family == RESTARTING) {
      return restarting(base, seed);
    }
    if (family == REFERRING) {
      return referring(base, seed);
    }
    if (family == VERSIONED) {
      return versioned(base, seed);
    }
    if (family == KEYED) {
      return base.withSeed(seed);
    }
    if (family == COMMITTING) {
      return committing(base, seed);
    }
    if (family == CALCULATING) {
      return calculating(base, seed);
    }
    if (family == CLEANING) {
      return cleaning(base, seed);
    }
    if (family == RANKING) {
      return base.withOperations(
              base.operations().stream().map(each -> each.as(ranking(each.kind()))).toList())
          .withHierarchies(base.hierarchies().stream().map(HierarchyPlan::counting).toList())
          .withSeed(seed);
    }
    if (family == 0) {
      return base;
    }
    throw new IllegalArgumentException("no family of seeds begins at " + family);
  }

  /**
   * Adds streams of chunks and the growing array, and requests of which each third or so fails
   * before the subscription returns, or is not even made.
   */
  private static Scenario atOnce(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    Scenario scenario = chance.nextInt(3) == 0 ? growing(base, seed) : base;
    List<PlannedFault> faults = new ArrayList<>(scenario.faults());
    int count = 1 + chance.nextInt(2 * MOST_FAULTS);
    for (int i = 0; i < count; i++) {
      PlannedFault.Kind kind =
          chance.nextInt(3) == 0 ? PlannedFault.Kind.THROWN : PlannedFault.Kind.AT_ONCE;
      faults.add(new PlannedFault(chance.nextInt(REQUESTS_WITH_FAULTS), kind, 0, false));
    }
    return new Scenario(
        seed,
        scenario.stack(),
        scenario.hierarchies(),
        scenario.arrays(),
        scenario.latencyMicros(),
        scenario.operations(),
        faults);
  }

  private static Scenario restarting(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    long[] millis = {1, 100, 700, 1_500, 2_000};
    PlannedFault restart =
        new PlannedFault(
            chance.nextInt(REQUESTS_WITH_FAULTS / 2),
            PlannedFault.Kind.RESTART,
            millis[chance.nextInt(millis.length)],
            chance.nextBoolean());
    return base.withStack(base.stack().patient()).withFaults(List.of(restart)).withSeed(seed);
  }

  /** Reads what another program has written before, and what nobody has. */
  private static Scenario referring(Scenario base, long seed) {
    List<PlannedOperation> operations =
        base.operations().stream()
            .map(each -> each.startMicros() == 0 ? each : each.as(reading(each.kind(), each.id())))
            .filter(each -> each.kind() != Kind.APPEND && each.kind() != Kind.FOREIGN_APPEND)
            .toList();
    return base.withStack(base.stack().over(StoreKind.REFERENCES))
        .withOperations(operations)
        .withSeed(seed);
  }

  /**
   * Reads and lists versions of a repository, while another program commits what it has changed.
   */
  private static Scenario versioned(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    List<PlannedOperation> operations = new ArrayList<>();
    for (PlannedOperation each : base.operations()) {
      boolean isCommit = each.kind() == Kind.FOREIGN_WRITE || chance.nextInt(8) == 0;
      if (each.kind() == Kind.APPEND || each.kind() == Kind.FOREIGN_APPEND) {
        continue;
      }
      Kind kind =
          isCommit
              ? Kind.FOREIGN_WRITE
              : chance.nextInt(6) == 0 ? Kind.LIST : reading(each.kind(), each.id());
      operations.add(each.as(kind).withoutCancelOf(Kind.FOREIGN_WRITE));
    }
    return base.withStack(base.stack().over(StoreKind.REPOSITORY))
        .withArrays(base.arrays().stream().map(ArrayPlan::asV3).toList())
        .withHierarchies(base.hierarchies().stream().map(HierarchyPlan::roomy).toList())
        .withOperations(operations)
        .withSeed(seed);
  }

  /** Commits to a repository from several sessions, while its branches and tags change. */
  private static Scenario committing(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    List<PlannedOperation> operations = new ArrayList<>();
    int count = 2 + chance.nextInt(MOST_COMMITS);
    boolean isBusy = chance.nextBoolean();
    long latency = base.latencyMicros();
    for (int i = 0; i < count; i++) {
      Kind kind =
          switch (chance.nextInt(9)) {
            case 0 -> Kind.AMEND;
            case 1, 2 -> Kind.REF;
            case 3 -> Kind.LOOK;
            default -> Kind.COMMIT;
          };
      operations.add(
          new PlannedOperation(
              10 + i,
              kind,
              1 + chance.nextLong((isBusy ? 4 : 40) * latency + 2_000),
              chance.nextInt(base.hierarchies().size()),
              0,
              Box.all(base.arrays().get(0).shape()),
              Pace.FAST,
              chance.nextInt(6) == 0 ? chance.nextLong(12 * latency + 100) : -1));
    }
    StackPlan stack = base.stack();
    return base.withStack(
            new StackPlan(
                StoreKind.COMMITS,
                stack.limit(),
                stack.attempts(),
                stack.isHedged(),
                stack.isObserved(),
                stack.cacheBytes(),
                stack.keepsMissing(),
                stack.cacheBytes() > 0 ? 0 : -1))
        .withArrays(base.arrays().stream().map(ArrayPlan::asV3).toList())
        .withHierarchies(base.hierarchies().stream().map(HierarchyPlan::roomy).toList())
        .withOperations(operations)
        .withSeed(seed);
  }

  /** Expires snapshots and collects garbage in place of some of the commits. */
  private static Scenario cleaning(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(~seed);
    Scenario scenario = committing(base, seed);
    return scenario.withOperations(
        scenario.operations().stream()
            .map(each -> chance.nextInt(3) == 0 ? each.as(Kind.CLEAN) : each)
            .toList());
  }

  private static Kind reading(Kind kind, int id) {
    Kind[] reads = {Kind.READ, Kind.CHUNKS, Kind.CHUNKS_IN_ORDER, Kind.READ_CHUNK, Kind.OPEN};
    return switch (kind) {
      case WRITE, CLEAR, ERASE, COPY, FOREIGN_WRITE, GROW -> reads[id % reads.length];
      default -> kind;
    };
  }

  private static Scenario decoding(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    return new Scenario(
        seed,
        base.stack(),
        base.hierarchies(),
        base.arrays(),
        base.latencyMicros(),
        base.operations().stream().map(each -> each.as(decoding(each.kind(), chance))).toList(),
        base.faults());
  }

  private static Scenario calculating(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    return base.withOperations(
            base.operations().stream()
                .map(each -> each.as(calculating(each.kind(), chance)))
                .toList())
        .withSeed(seed);
  }

  private static Kind calculating(Kind kind, SplittableRandom chance) {
    boolean isRolled = chance.nextBoolean();
    return switch (kind) {
      case READ, CHUNKS, CHUNKS_IN_ORDER, BYTES -> isRolled ? Kind.ROLLED : Kind.FORMULA;
      default -> kind;
    };
  }

  private static Kind ranking(Kind kind) {
    return switch (kind) {
      case READ, CHUNKS, CHUNKS_IN_ORDER, BYTES -> Kind.RANKED;
      default -> kind;
    };
  }

  private static Kind decoding(Kind kind, SplittableRandom chance) {
    if (chance.nextInt(4) == 0) {
      return kind;
    }
    return switch (kind) {
      case READ -> Kind.READ_DECODED;
      case CHUNKS_IN_ORDER, BYTES -> Kind.BYTES_DECODED;
      default -> kind;
    };
  }

  private static Scenario growing(Scenario base, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    List<PlannedOperation> operations = new ArrayList<>(base.operations());
    int hierarchies = base.hierarchies().size();
    for (int i = chance.nextInt(1 + MOST_IN_CHUNKS); i > 0; i--) {
      int array = chance.nextInt(base.arrays().size());
      operations.add(
          new PlannedOperation(
              PlannedOperation.FIRST_IN_CHUNKS + i,
              chance.nextInt(6) == 0 ? Kind.CLEAR : Kind.WRITE,
              1 + chance.nextLong(6 * base.latencyMicros() + 2_000),
              chance.nextInt(hierarchies),
              array,
              anyBox(base.arrays().get(array), chance),
              Pace.FAST,
              chance.nextInt(3) == 0 ? chance.nextLong(4 * base.latencyMicros() + 100) : -1));
    }
    Box box = Box.all(base.arrays().get(0).shape());
    operations.addAll(GrowingArray.operations(chance, hierarchies, box, base.latencyMicros()));
    return new Scenario(
        seed,
        base.stack(),
        base.hierarchies(),
        base.arrays(),
        base.latencyMicros(),
        operations,
        base.faults());
  }

  private Scenario scenario() {
    int format = chance.nextInt(6) == 0 ? 2 : 3; // a group holds nodes of its own format alone
    List<ArrayPlan> arrays = several(isOften() ? 1 : 2, number -> array(number, format));
    List<HierarchyPlan> hierarchies =
        several(isRarely() ? 2 : 1, number -> hierarchy(arrays.get(0)));
    StackPlan stack = stack(arrays.get(0));
    long latency = oneOf(20, 1_000, 20_000, 150_000);
    List<PlannedOperation> operations = operations(arrays, hierarchies, stack, latency);
    List<PlannedFault> faults =
        several(isHalf() ? 0 : 1 + chance.nextInt(MOST_FAULTS), number -> fault());
    return new Scenario(seed, stack, hierarchies, arrays, latency, operations, faults);
  }

  private ArrayPlan array(int number, int format) {
    int rank = 1 + chance.nextInt(2);
    int levels = format == 2 ? 1 : 1 + chance.nextInt(3);
    List<long[]> grids = new ArrayList<>();
    long[] chunk = new long[rank];
    Arrays.setAll(chunk, d -> 2 + chance.nextInt(2));
    grids.add(chunk);
    for (int level = 1; level < levels; level++) {
      long[] outer = grids.get(0).clone();
      Arrays.setAll(outer, d -> outer[d] * (rank == 1 ? oneOf(2, 4, 6) : oneOf(1, 2, 3)));
      grids.add(0, outer);
    }
    long[] shape = new long[rank];
    Arrays.setAll(
        shape,
        d -> {
          long chunks = rank == 1 && levels == 1 ? 3 + chance.nextInt(10) : 1 + chance.nextInt(3);
          long ragged = isRarely() ? chance.nextLong(grids.get(0)[d]) : 0;
          return Math.max(1, chunks * grids.get(0)[d] - ragged);
        });
    return new ArrayPlan(
        "a" + number, format, shape, grids, isHalf() ? 0 : -7, format == 3 && isHalf(), isHalf());
  }

  private HierarchyPlan hierarchy(ArrayPlan array) {
    int concurrency = (int) oneOf(1, 2, 3, 4, 16, 64);
    long budget = isRarely() ? 1 << 20 : (1 + chance.nextInt(12)) * (array.innerBytes() * 2 + 8);
    boolean isDecodedKept = isHalf();
    int limit = chance.nextInt(5) == 0 ? 1 + chance.nextInt(4) : 0;
    long decoded = isDecodedKept ? (isHalf() ? 1 << 16 : (array.innerBytes() + 256) * 2) : 0;
    revalidation(isDecodedKept); // drawn, so that the scenarios of old seeds stay as they are
    return new HierarchyPlan(
        concurrency,
        budget,
        limit,
        seesOthers ? 0 : decoded, // a decoded chunk that another program replaces stays cached
        isRarely() ? 0 : 1 << 16,
        isRarely() ? 64 : 0,
        !isRarely(),
        isRarely(),
        isRarely());
  }

  private StackPlan stack(ArrayPlan array) {
    boolean isCached = isHalf();
    return new StackPlan(
        StoreKind.values()[seesOthers || isOften() ? chance.nextInt(2) : chance.nextInt(4)],
        (int) oneOf(0, 0, 1, 2, 5, StackPlan.ADAPTIVE),
        isHalf() ? 0 : 2 + chance.nextInt(4),
        isRarely(),
        isRarely(),
        isCached ? (isHalf() ? 1 << 16 : array.chunkBytes() * 2 + 600) : 0,
        isCached && isHalf(),
        revalidation(isCached));
  }

  /** Returns the age in milliseconds from which on what is kept is asked about; -1 for never. */
  private long revalidation(boolean isKept) {
    if (!isKept) {
      return -1;
    }
    return seesOthers ? 0 : isRarely() ? oneOf(0, 1, 20, 500) : -1;
  }

  private List<PlannedOperation> operations(
      List<ArrayPlan> arrays, List<HierarchyPlan> hierarchies, StackPlan stack, long latency) {
    List<PlannedOperation> operations = new ArrayList<>();
    boolean readsOnly = !seesOthers && isRarely();
    for (int a = 0; a < arrays.size(); a++) { // most arrays hold something to begin with
      if (!isRarely()) {
        Box all = isOften() ? Box.all(arrays.get(a).shape()) : anyBox(arrays.get(a), chance);
        operations.add(
            new PlannedOperation(1 + a, Kind.FOREIGN_WRITE, 0, 0, a, all, Pace.FAST, -1));
      }
    }
    int count = 1 + chance.nextInt(MOST_OPERATIONS);
    for (int i = 0; i < count; i++) {
      int array = chance.nextInt(arrays.size());
      operations.add(
          operation(
              10 + i,
              array,
              arrays.get(array),
              kind(readsOnly, arrays.get(array), stack),
              chance.nextInt(hierarchies.size()),
              latency));
    }
    operations.addAll(writesAgain(operations, new SplittableRandom(~seed), latency));
    operations.addAll(
        AppendedLog.operations(
            new SplittableRandom(seed ^ 0xa99e),
            hierarchies.size(),
            stack,
            Box.all(arrays.get(0).shape()),
            latency));
    return operations;
  }

  /** Callers that give up a write often write the same again. */
  private static List<PlannedOperation> writesAgain(
      List<PlannedOperation> operations, SplittableRandom chance, long latency) {
    return operations.stream()
        .filter(each -> each.kind() == Kind.WRITE && each.cancelMicros() >= 0)
        .map(
            each ->
                new PlannedOperation(
                    each.id() + MOST_OPERATIONS,
                    Kind.WRITE,
                    each.startMicros() + each.cancelMicros() + 1 + chance.nextLong(latency),
                    each.hierarchy(),
                    each.array(),
                    each.box(),
                    Pace.FAST,
                    -1))
        .toList();
  }

  private Kind kind(boolean readsOnly, ArrayPlan array, StackPlan stack) {
    if (readsOnly || isHalf()) {
      return oneOf(
          Kind.READ,
          Kind.READ,
          Kind.CHUNKS,
          Kind.CHUNKS_IN_ORDER,
          Kind.CHUNKS_IN_ORDER,
          Kind.BYTES);
    }
    Kind kind =
        oneOf(
            Kind.WRITE,
            Kind.WRITE,
            Kind.WRITE,
            Kind.WRITE,
            Kind.CLEAR,
            Kind.FOREIGN_WRITE,
            Kind.FOREIGN_WRITE,
            Kind.OPEN,
            seesOthers ? Kind.FOREIGN_WRITE : Kind.OPEN,
            isHalf() ? Kind.COPY : Kind.READ,
            isHalf() ? Kind.ERASE : Kind.WRITE);
    // a store without versions hides that a shard was replaced behind a cached index
    return kind == Kind.FOREIGN_WRITE && array.isSharded() && !stack.kind().hasVersions()
        ? Kind.WRITE
        : kind;
  }

  private PlannedOperation operation(
      int id, int array, ArrayPlan plan, Kind kind, int hierarchy, long latency) {
    long start = 1 + chance.nextLong(6 * latency + 2_000);
    Box box =
        switch (kind) {
          case FOREIGN_WRITE -> chunk(plan);
          case ERASE, COPY, OPEN -> Box.all(plan.shape());
          case WRITE, CLEAR -> isHalf() ? chunk(plan) : anyBox(plan, chance);
          default -> isHalf() ? Box.all(plan.shape()) : anyBox(plan, chance);
        };
    boolean isCancelled = kind != Kind.FOREIGN_WRITE && chance.nextInt(3) == 0;
    return new PlannedOperation(
        id,
        kind,
        start,
        hierarchy,
        array,
        box,
        kind.isStream() ? pace() : Pace.FAST,
        isCancelled ? chance.nextLong(4 * latency + 100) : -1);
  }

  private Pace pace() {
    if (chance.nextInt(3) == 0) {
      return Pace.FAST;
    }
    int batch = (int) oneOf(1, 1, 2, 5);
    boolean readsInside = isRarely();
    return new Pace(
        batch,
        isHalf() ? 0 : oneOf(10, 3_000, 400_000, 2_000_000),
        isRarely() ? chance.nextInt(5) : -1,
        readsInside);
  }

  private PlannedFault fault() {
    return new PlannedFault(
        chance.nextInt(REQUESTS_WITH_FAULTS),
        PlannedFault.Kind.OF_ONE_REQUEST.get(chance.nextInt(4)),
        oneOf(0, 5, 300, 2_500, 12_000),
        isHalf());
  }

  /** Returns the elements of one chunk. */
  private Box chunk(ArrayPlan array) {
    int rank = array.shape().length;
    long[] first = new long[rank];
    long[] count = new long[rank];
    for (int d = 0; d < rank; d++) {
      long extent = array.chunk()[d];
      long chunks = (array.shape()[d] + extent - 1) / extent;
      first[d] = chance.nextLong(chunks) * extent;
      count[d] = Math.min(extent, array.shape()[d] - first[d]);
    }
    return Box.of(first, count);
  }

  /** Returns a box with one element at least, sometimes with steps. */
  static Box anyBox(ArrayPlan array, SplittableRandom chance) {
    int rank = array.shape().length;
    long[] first = new long[rank];
    long[] count = new long[rank];
    long[] step = new long[rank];
    for (int d = 0; d < rank; d++) {
      long extent = array.shape()[d];
      first[d] = chance.nextLong(extent);
      step[d] = chance.nextInt(4) == 0 ? 1 + chance.nextInt(3) : 1;
      long most = (extent - first[d] + step[d] - 1) / step[d];
      count[d] = 1 + chance.nextLong(most);
    }
    return new Box(first, count, step);
  }

  private boolean isHalf() {
    return chance.nextBoolean();
  }

  private boolean isRarely() {
    return chance.nextInt(4) == 0;
  }

  private boolean isOften() {
    return !isRarely();
  }

  private long oneOf(long... choices) {
    return choices[chance.nextInt(choices.length)];
  }

  private Kind oneOf(Kind... choices) {
    return choices[chance.nextInt(choices.length)];
  }

  private static <T> List<T> several(int count, java.util.function.IntFunction<T> made) {
    List<T> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(made.apply(i));
    }
    return all;
  }
}
