package dev.zarrreactive.faults;

import dev.zarrreactive.faults.server.Fault;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A fault of the matrix with its outcomes.
 *
 * @param name shown by the test
 * @param fault at one request; the cells say where and how often
 * @param requests the number of requests that one fault takes
 * @param kind of the array that the trial reads
 * @param replaces true for a fault that stores other values in the array
 * @param stalls true for a fault that only the stall timeout detects
 * @param outcomes by place and occurrence
 */
record FaultRow(
    String name,
    Function<FaultScene, Fault> fault,
    int requests,
    MatrixArray.Kind kind,
    boolean replaces,
    boolean stalls,
    Map<Place, Map<Occurrence, Outcome>> outcomes) {
  /** Returns a row without outcomes. */
  static FaultRow row(String name, Function<FaultScene, Fault> fault) {
    return new FaultRow(name, fault, 1, MatrixArray.Kind.PLAIN, false, false, Map.of());
  }

  /**
   * Returns this row on another kind of array, in which a checksum or nothing detects wrong bytes.
   */
  FaultRow on(MatrixArray.Kind array) {
    return new FaultRow(name, fault, requests, array, replaces, stalls, outcomes);
  }

  /** Returns this row with {@code count} requests for one fault. */
  FaultRow taking(int count) {
    return new FaultRow(name, fault, count, kind, replaces, stalls, outcomes);
  }

  /** Returns this row for a fault that stores other values in the array. */
  FaultRow replacing() {
    return new FaultRow(name, fault, requests, kind, true, stalls, outcomes);
  }

  /** Returns this row for a fault that only the stall timeout detects. */
  FaultRow stalling() {
    return new FaultRow(name, fault, requests, kind, replaces, true, outcomes);
  }

  /** Returns this row with the outcomes at a place: once without retries, twice, and always. */
  FaultRow at(Place place, Outcome once, Outcome twice, Outcome always) {
    Map<Place, Map<Occurrence, Outcome>> more = new EnumMap<>(Place.class);
    more.putAll(outcomes);
    more.put(
        place, Map.of(Occurrence.ONCE, once, Occurrence.TWICE, twice, Occurrence.ALWAYS, always));
    return new FaultRow(name, fault, requests, kind, replaces, stalls, more);
  }

  /** Returns this row with one outcome at a place, for each occurrence. */
  FaultRow at(Place place, Outcome outcome) {
    return at(place, outcome, outcome, outcome);
  }

  /** Returns this row with the outcomes at all places without others. */
  FaultRow elsewhere(Outcome once, Outcome twice, Outcome always) {
    FaultRow all = this;
    for (Place place : Place.values()) {
      all = all.outcomes.containsKey(place) ? all : all.at(place, once, twice, always);
    }
    return all;
  }

  /** Returns this row with one outcome at all places without others, for each occurrence. */
  FaultRow elsewhere(Outcome outcome) {
    return elsewhere(outcome, outcome, outcome);
  }

  /** Returns a cell for each place and occurrence. */
  Stream<Cell> cells() {
    return outcomes.keySet().stream()
        .sorted()
        .flatMap(
            place ->
                Arrays.stream(Occurrence.values())
                    .map(occurrence -> new Cell(this, place, occurrence)));
  }

  /** One trial of the matrix. */
  record Cell(FaultRow row, Place place, Occurrence occurrence) {
    /** Returns the right outcome, for a trial that is not cancelled. */
    Outcome outcome() {
      Occurrence wanted = occurrence == Occurrence.CANCELLED ? Occurrence.ALWAYS : occurrence;
      return Objects.requireNonNull(Objects.requireNonNull(row.outcomes.get(place)).get(wanted));
    }

    @Override
    public String toString() {
      return row.name + ", " + place + ", " + occurrence;
    }
  }
}
