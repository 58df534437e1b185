package dev.zarrreactive.internal.link;

import dev.zarrreactive.internal.link.LinkEstimate.Link;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fixed rule that is best for some ranges over some link: of those that take at most a little
 * longer than the fastest, the one with the fewest requests, and of those the one with the fewest
 * bytes. Where reads have a price, the one that costs least.
 *
 * <p>A few dozen rules are tried, among them to merge nothing. The time of one is that of as many
 * turns as it takes for all connections to make the requests, the last of them as long as the
 * longest request: few ranges are fetched fastest side by side, many when each connection has one
 * long request. The work of the client for each request is added: it is most of the time of a store
 * in memory or of files, and next to nothing over a link.
 */
record MergeChoice(
    SortedRanges ranges, Coalescing bounds, Link link, Connections connections, long mostUnwanted) {
  /** How much longer than the fastest is as good, for fewer requests. */
  private static final double AS_GOOD = 1.02;

  private static final long LEAST_SIZE = 16 << 10;

  /** The over-read of requests of the least size, which cost more than their bytes. */
  private static final double SMALL_OVER_READ = 0.9;

  /**
   * The time that the cores need for a request: to queue, send, hear and divide it. Measured over a
   * store in memory.
   */
  private static final double WORK = 10_000;

  Coalescing best() {
    Trial none = new Trial(Coalescing.none());
    Price price = bounds.price();
    if (ranges.count() < 2 || (price == null && nothingIsGained(none))) {
      return none.rule;
    }
    List<Trial> trials = trials();
    if (price != null) { // a gap may cost as much as a request
      double worth = price.perRequest() / price.perByte();
      addTrials((long) Math.min((double) bounds.maxGap(), worth), trials);
      Trial cheapest = none;
      for (Trial trial : trials) {
        cheapest = trial.cost(price) < cheapest.cost(price) ? trial : cheapest;
      }
      return cheapest.rule;
    }
    trials.removeIf(trial -> !trial.isAsGoodAs(none));
    double fastest = none.nanos();
    for (Trial trial : trials) {
      fastest = Math.min(fastest, trial.nanos());
    }
    Trial best = none;
    boolean found = none.nanos() <= AS_GOOD * fastest;
    for (Trial trial : trials) {
      if (trial.nanos() <= AS_GOOD * fastest && (!found || trial.isLessThan(best))) {
        best = trial;
        found = true;
      }
    }
    return best.rule;
  }

  /** Returns true if every range has its connection, and any merged pair takes longer. */
  private boolean nothingIsGained(Trial none) {
    return ranges.count() <= connections.count()
        && link.nanos(ranges.shortestPair()) > AS_GOOD * none.nanos();
  }

  private List<Trial> trials() {
    List<Trial> trials = new ArrayList<>();
    long[] gaps = ranges.gaps();
    Arrays.sort(gaps);
    for (int i = 0; i < gaps.length && gaps[i] <= bounds.maxGap(); i++) {
      if (i == gaps.length - 1
          || gaps[i + 1] > bounds.maxGap()
          || step(gaps[i]) != step(gaps[i + 1])) {
        addTrials(gaps[i], trials);
      }
    }
    return trials;
  }

  /** The gap stands for all of its power of four. */
  private static int step(long gap) {
    return (65 - Long.numberOfLeadingZeros(gap)) / 2;
  }

  /** From all in one request down, each two thirds of the one before. */
  private void addTrials(long gap, List<Trial> trials) {
    long size = Math.min(bounds.maxSize(), ranges.span());
    do {
      double overRead =
          size <= LEAST_SIZE
              ? Math.max(SMALL_OVER_READ, bounds.maxOverRead())
              : bounds.maxOverRead();
      trials.add(new Trial(new Coalescing(gap, (int) size, overRead)));
      size = size * 2 / 3;
    } while (size >= LEAST_SIZE);
  }

  /** The requests that a rule makes of the ranges. */
  private final class Trial implements SortedRanges.Request {
    private final Coalescing rule;
    private int requests;
    private long bytes;
    private double together;
    private double longest;

    Trial(Coalescing rule) {
      this.rule = rule;
      ranges.merge(rule, mostUnwanted, this);
    }

    @Override
    public void of(long start, long end, int from, int to) {
      double nanos = link.nanos(end - start);
      requests++;
      bytes += end - start;
      together += nanos;
      longest = Math.max(longest, nanos);
    }

    /** The last turn may be that of the longest request. */
    double nanos() {
      return before(connections.turns(requests)) + longest + requests * WORK;
    }

    double cost(Price price) {
      return price.total(requests, bytes, Duration.ofNanos((long) nanos()));
    }

    private double before(double turns) {
      return Math.max(0, turns - 1) * together / requests;
    }

    /**
     * Whether it is as good also where other values' requests fill the last turn. That requests are
     * longer is certain; of the turns that are saved half is counted, for those of others may be in
     * the way.
     */
    boolean isAsGoodAs(Trial none) {
      double beforeNone = none.before(connections.filledTurns(none.requests));
      double saved =
          beforeNone
              - before(connections.filledTurns(requests))
              + (none.requests - requests) * WORK;
      return !connections.shared()
          || longest - none.longest <= saved / 2 + (AS_GOOD - 1) * (beforeNone + none.longest);
    }

    boolean isLessThan(Trial other) {
      return requests != other.requests ? requests < other.requests : bytes < other.bytes;
    }
  }
}
