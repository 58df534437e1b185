package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.simulation.OriginRequests.OriginRequest;
import dev.zarrreactive.simulation.PlannedOperation.Kind;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges what a run holds, after each event: bytes, permits, requests. */
final class HeldResources {
  /** Some requests take nine times as long, and each may wait for others. */
  private static final long LONG_LATENCY_MICROS = 100_000;

  private final Simulation run;
  private final SimulatedWorld world;
  private final Scenario scenario;
  private final @Nullable RequestLimit onlyLimit;
  private final long mostRequests;
  private final List<HeldBytes> heldBytes = new ArrayList<>();

  HeldResources(Simulation run, SimulatedWorld world) {
    this.run = run;
    this.world = world;
    this.scenario = run.scenario();
    this.onlyLimit = onlyLimit();
    this.mostRequests = mostRequests();
    boolean mayExceed = mayTakeASecond();
    for (int h = 0; h < world.hierarchies().size(); h++) {
      long bound = scenario.hierarchies().get(h).inFlightBytes();
      heldBytes.add(new HeldBytes(run, world.hierarchies().get(h), bound, mayExceed));
    }
  }

  /**
   * Returns true where a consumer, a request or a stream that is gathered may hold bytes for a
   * second and longer.
   */
  private boolean mayTakeASecond() {
    return !scenario.faults().isEmpty()
        || scenario.latencyMicros() > LONG_LATENCY_MICROS
        || scenario.operations().stream().anyMatch(HeldResources::mayHoldUp);
  }

  private static boolean mayHoldUp(PlannedOperation operation) {
    return operation.pace().mayHoldUp()
        || operation.isInBlocks()
        || operation.isInChunks()
        || operation.kind() == Kind.GROW;
  }

  /** Returns the limit that every request keeps to; null where there is none, or more than one. */
  private @Nullable RequestLimit onlyLimit() {
    long own = world.limits().stream().filter(Objects::nonNull).count();
    if (own == 0) {
      return world.stackLimit();
    }
    return own == 1 && world.limits().size() == 1 && world.stackLimit() == null
        ? world.limits().get(0)
        : null;
  }

  private long mostRequests() {
    int stack = scenario.stack().limit();
    boolean isRepository =
        scenario.stack().kind() == StoreKind.REPOSITORY
            || scenario.stack().kind() == StoreKind.COMMITS;
    long most = isRepository ? 1 << 20 : 0;
    for (HierarchyPlan plan : scenario.hierarchies()) {
      most += plan.limit() > 0 ? plan.limit() : stack != 0 ? 1 << 20 : plan.concurrency();
    }
    return stack > 0 ? Math.min(most, stack) : most;
  }

  /** Judges a request that begins. */
  void begins(OriginRequest request) {
    RunningOperation owner = request.owner();
    if (run.requests().underWay().size() > mostRequests) {
      run.found(
          Rule.REQUESTS,
          run.requests().underWay().size() + " requests of " + mostRequests + ", last " + request);
    }
    if (owner == null) {
      return;
    }
    // a read may be another operation's, too, that waits for the same or is just being cancelled
    boolean mayBeShared =
        request.isRead() && run.operations().stream().anyMatch(RunningOperation::mayShare);
    if (owner.isLongOver() && !mayBeShared) {
      run.found(Rule.CANCEL, request + " begins, and its operation is over");
    }
    Kind kind = owner.plan().kind();
    if (request.isRead() && (kind == Kind.CHUNKS || kind == Kind.CHUNKS_IN_ORDER)) {
      prefetched(owner, request);
    }
  }

  /** A stream of plain chunks makes a request for each. */
  private void prefetched(RunningOperation owner, OriginRequest request) {
    HierarchyPlan options = scenario.hierarchies().get(owner.plan().hierarchy());
    boolean isOneEach =
        scenario.faults().isEmpty()
            && run.repository() == null // whose files are requests, too
            && !SimulatedKeys.areIn(scenario) // a request without a key is made again
            && !scenario.stack().isHedged()
            && !run.array(owner.plan().array()).isSharded()
            && owner.plan().pace().batch() > 0;
    if (isOneEach && owner.countGet() > owner.requested() + options.concurrency()) {
      run.found(
          Rule.PREFETCH,
          owner,
          request + " begins when " + owner.requested() + " chunks were asked for");
    }
  }

  /** Returns true where the budget of a hierarchy may refuse an operation now. */
  boolean mayRefuse(int hierarchy) {
    return heldBytes.get(hierarchy).mayRefuse();
  }

  /** Judges what is held between two events. */
  void check() {
    heldBytes.forEach(HeldBytes::check);
    if (onlyLimit != null && onlyLimit.underWay() != run.requests().underWay().size()) {
      run.found(
          Rule.PERMITS,
          onlyLimit.underWay()
              + " permits are held for "
              + run.requests().underWay().size()
              + " requests: "
              + run.requests().underWay());
    }
  }

  /** Judges the end of a run. */
  void nothingIsHeld() {
    for (ZarrHierarchy hierarchy : world.hierarchies()) {
      nothing("bytes", hierarchy.bytesInFlight());
    }
    SimulatedRepository repository = world.repository();
    if (repository != null) {
      repository.opened().forEach(version -> nothing("bytes", version.bytesInFlight()));
    }
    nothing("requests", run.requests().underWay().size());
    nothing("observed requests", world.observations().requestsUnderWay());
    nothing("observed operations", world.observations().operationsUnderWay());
    nothing("permits", held(world.stackLimit()));
    world.limits().forEach(limit -> nothing("permits", held(limit)));
  }

  private static long held(@Nullable RequestLimit limit) {
    return limit == null ? 0 : limit.underWay() + limit.waiting();
  }

  private void nothing(String what, long count) {
    if (count != 0) {
      run.found(Rule.RELEASE, "in the end, " + count + " " + what + " are held");
    }
  }
}
