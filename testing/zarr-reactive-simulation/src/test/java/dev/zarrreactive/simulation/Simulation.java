package dev.zarrreactive.simulation;

import dev.zarrreactive.simulation.OriginRequests.OriginRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Hooks;

/** One run of a scenario, from its first event until nothing is left to happen. */
final class Simulation {
  /** The library waits ten minutes at most for anything that does not come. */
  private static final long LONGEST_SILENCE = TimeUnit.MINUTES.toNanos(15);

  private static final int MOST_EVENTS = 400_000;

  /** The time between looks whether an operation of the growing array is settled. */
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(20);

  private final Scenario scenario;
  private final VirtualTime time;
  private final SplittableRandom chance;
  private final OriginRequests requests = new OriginRequests();
  private final Map<Integer, PlannedFault> faults = new HashMap<>();
  private final Set<Integer> throwingCalls = new HashSet<>();
  private final List<ValueModel> models = new ArrayList<>();
  private final List<RunningOperation> operations = new ArrayList<>();
  private final @Nullable List<String> log;
  private final SimulatedEnvironment environment;
  private final SimulatedWorld world;
  private final HeldResources held;
  private @Nullable Finding finding;
  private boolean hasFaults = true;
  private long downUntil;
  private long lastMove;
  private int events;
  private int calls;

  private Simulation(Scenario scenario, boolean isLogged) {
    this.scenario = scenario;
    SplittableRandom seeds = new SplittableRandom(scenario.seed());
    this.time = new VirtualTime(seeds.nextLong());
    this.chance = seeds.split();
    this.log = isLogged ? new ArrayList<>() : null;
    this.environment = new SimulatedEnvironment(time, seeds.split());
    boolean mayBeStale = scenario.mayBeStale();
    scenario.arrays().forEach(array -> models.add(new ValueModel(array, mayBeStale)));
    for (PlannedFault fault : scenario.faults()) {
      if (fault.kind() == PlannedFault.Kind.THROWN) {
        throwingCalls.add(fault.request());
      } else {
        faults.put(fault.request(), fault);
      }
    }
    this.world = environment.within(() -> new SimulatedWorld(this));
    this.held = new HeldResources(this, world);
  }

  /**
   * What came of a run.
   *
   * @param finding the first rule that it broke; null where it broke none
   * @param trace a number that tells runs apart
   * @param log what happened, where that was wanted
   */
  record Outcome(@Nullable Finding finding, long trace, int requests, List<String> log) {}

  /** Runs a scenario. */
  static Outcome of(Scenario scenario) {
    return of(scenario, false);
  }

  /** Runs a scenario, and keeps a log of it. */
  static Outcome logged(Scenario scenario) {
    return of(scenario, true);
  }

  private static Outcome of(Scenario scenario, boolean isLogged) {
    Simulation run = new Simulation(scenario, isLogged);
    Hooks.onErrorDropped(error -> run.found(Rule.NOTHING_DROPPED, "dropped: " + error));
    try {
      run.environment.within(
          () -> {
            run.all();
            return run;
          });
    } finally {
      Hooks.resetOnErrorDropped();
    }
    return new Outcome(
        run.finding,
        run.requests.trace(),
        run.requests.begun(),
        run.log == null ? List.of() : run.log);
  }

  private void all() {
    for (PlannedOperation plan : scenario.operations()) {
      RunningOperation operation = new RunningOperation(this, plan, "#" + plan.id(), () -> {});
      operations.add(operation);
      if (plan.kind() != PlannedOperation.Kind.GROW) {
        time.after(plan.startMicros() * 1000, () -> world.begin(operation));
      }
    }
    grow(
        operations.stream()
            .filter(each -> each.plan().kind() == PlannedOperation.Kind.GROW)
            .toList()
            .iterator());
    until(() -> operations.stream().allMatch(each -> each.isOver() || each.hasStopped()));
    stalled();
    List.copyOf(operations).forEach(RunningOperation::cancel); // of consumers that stopped
    hasFaults = false;
    for (PlannedOperation plan : Epilogue.of(scenario)) {
      if (finding == null) {
        RunningOperation operation = new RunningOperation(this, plan, "#" + plan.id(), () -> {});
        operations.add(operation);
        world.begin(operation);
        until(operation::isOver);
        stalled();
      }
    }
    until(() -> false);
    if (finding == null) {
      held.nothingIsHeld();
      world.judgeValues();
    }
  }

  /** Begins the next operation of the growing array after its pause, and then the others. */
  private void grow(Iterator<RunningOperation> steps) {
    if (steps.hasNext()) {
      RunningOperation next = steps.next();
      time.after(
          next.plan().startMicros() * 1000,
          () -> {
            world.begin(next);
            whenSettled(
                next,
                () -> {
                  world.growing().ended(next);
                  grow(steps);
                });
          });
    }
  }

  private void whenSettled(RunningOperation operation, Runnable then) {
    if (operation.isSettled()) {
      then.run();
    } else {
      time.after(LOOK, () -> whenSettled(operation, then));
    }
  }

  /** Runs events until {@code isEnough}, or nothing moves any more. */
  private void until(BooleanSupplier isEnough) {
    while (finding == null && !isEnough.getAsBoolean()) {
      if (++events > MOST_EVENTS) {
        found(Rule.ENDS, "events without an end");
      } else if (!step() || time.now() - lastMove() > LONGEST_SILENCE) {
        return;
      }
    }
  }

  private long lastMove() {
    return Math.max(lastMove, requests.lastMove());
  }

  private boolean step() {
    try {
      if (!time.step()) {
        return false;
      }
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      found(Rule.NOTHING_DROPPED, "thrown on a thread: " + e + " at " + e.getStackTrace()[0]);
      return false;
    }
    held.check();
    return true;
  }

  /** An operation that has not ended when nothing moves, and whose consumer asks, hangs. */
  private void stalled() {
    if (operations.stream().allMatch(each -> each.isOver() || each.hasStopped())) {
      return;
    }
    for (RunningOperation each : operations) {
      if (each.asks() && !each.hasStopped()) {
        found(Rule.ENDS, each, each + " hangs: " + each.plan());
      }
    }
    found(Rule.ENDS, "nothing moves, and no operation asks for anything");
  }

  /** An operation moved. */
  void moved() {
    lastMove = time.now();
  }

  /** Returns the time of one way to the origin or back; one in eight takes a detour. */
  long latency() {
    long usual = scenario.latencyMicros() * 1000 / 2;
    long way = 1 + usual / 2 + chance.nextLong(usual);
    return chance.nextInt(8) == 0 ? 6 * way : way;
  }

  /** Returns the fault of a request that begins; null for none. */
  @Nullable PlannedFault fault(OriginRequest request) {
    return hasFaults ? faults.get(request.number()) : null;
  }

  /** The server of the origin is down for a while. */
  void goDown(long nanos) {
    downUntil = time.now() + nanos;
    log(() -> "the server goes down");
  }

  /** Returns true where the server of the origin refuses connections. */
  boolean isDown() {
    return hasFaults && time.now() < downUntil;
  }

  /** Notes a call of the store, and returns whether it throws. */
  boolean isThrown() {
    boolean isThrown = throwingCalls.contains(calls++) && hasFaults;
    if (isThrown) {
      requests.faulty(time.now());
    }
    return isThrown;
  }

  /** A request begins. */
  OriginRequest begin(String verb, String target, @Nullable RunningOperation owner) {
    OriginRequest request = requests.begin(verb, target, owner, time.now());
    log(() -> request + " begins");
    held.begins(request);
    return request;
  }

  /** A request is over. */
  void end(OriginRequest request, String how) {
    requests.end(request, time.now());
    if (request.isRead() && hasFaults && !how.equals("cancelled")) {
      Crowd.judge(this, request, requests.countRead(request));
    }
    log(() -> request + " is " + how);
  }

  /** A request ends that a fault befell. */
  void endedByFault(OriginRequest request, String how) {
    requests.faulty(time.now());
    end(request, how);
  }

  /**
   * Returns when the oldest operation on the array began that is under way, or now. All operations
   * on a repository share requests for its state, and one that waits for a request of an operation
   * that was cancelled hands it on.
   */
  long oldestUnderWay(int array) {
    if (repository() != null) {
      return operations.stream()
          .filter(RunningOperation::isUnderWay)
          .mapToLong(each -> Math.min(each.began(), each.oldestBegan()))
          .min()
          .orElse(time.now());
    }
    return operations.stream()
        .filter(each -> each.isUnderWay() && each.plan().array() == array)
        .mapToLong(RunningOperation::began)
        .min()
        .orElse(time.now());
  }

  /**
   * Returns true where a write that was acknowledged has replaced what was there, for every reader.
   */
  boolean isCertain(PlannedOperation plan) {
    boolean isGuarded = scenario.stack().kind().hasConditions();
    boolean hasWrites =
        scenario.has(PlannedOperation.Kind.WRITE) || scenario.has(PlannedOperation.Kind.CLEAR);
    return switch (plan.kind()) {
      case FOREIGN_WRITE -> (isGuarded || !hasWrites) && !scenario.mayBeStale();
      case ERASE -> isGuarded || !hasWrites;
      default -> true;
    };
  }

  /** Reads something else inside of a consumer, which goes on when that is over. */
  void readInside(RunningOperation outer, int number, Runnable next) {
    PlannedOperation plan = world.inside(outer.plan(), chance);
    RunningOperation inner =
        new RunningOperation(this, plan, outer + "." + number, () -> time.after(1, next));
    operations.add(inner);
    world.begin(inner);
  }

  /** Returns true where the budget of a hierarchy may refuse an operation now. */
  boolean mayRefuse(int hierarchy) {
    return held.mayRefuse(hierarchy);
  }

  void judgeCopy(RunningOperation copy) {
    world.judgeCopy(copy);
  }

  /** Returns the repository; null where the scenario has none. */
  @Nullable SimulatedRepository repository() {
    return world.repository();
  }

  /** Returns the repository that operations commit to; null where the scenario has none. */
  @Nullable SimulatedCommits commits() {
    return world.commits();
  }

  Scenario scenario() {
    return scenario;
  }

  VirtualTime time() {
    return time;
  }

  OriginRequests requests() {
    return requests;
  }

  ArrayPlan array(int number) {
    return scenario.arrays().get(number);
  }

  ValueModel model(int array) {
    return models.get(array);
  }

  List<RunningOperation> operations() {
    return operations;
  }

  @Nullable Finding finding() {
    return finding;
  }

  /** A rule is broken, by no operation alone. */
  void found(Rule rule, String text) {
    found(rule, null, text);
  }

  /** A rule is broken; only the first counts. */
  void found(Rule rule, @Nullable RunningOperation operation, String text) {
    if (finding == null) {
      log(() -> "FOUND " + rule + ": " + text);
      finding = new Finding(rule, operation == null ? null : operation.plan(), text);
    }
  }

  void log(Supplier<String> line) {
    if (log != null) {
      log.add(time.now() + " " + line.get());
    }
  }
}
