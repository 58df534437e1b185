package dev.zarrreactive.faults;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A fault of the matrix, and what becomes of it.
 *
 * @param name as the test shows it
 * @param fault what goes wrong with a request; not yet where, and how often
 * @param requests how many requests it takes for that
 * @param kind of the array that is read
 * @param replaces true where it puts other values into the array
 * @param outcomes by the place and how often it happens
 */
record FaultRow(
    String name,
    Function<FaultScene, Fault> fault,
    int requests,
    MatrixArray.Kind kind,
    boolean replaces,
    boolean stalls,
    Map<Place, Map<Occurrence, Outcome>> outcomes) {
  /** A row without outcomes. */
  static FaultRow row(String name, Function<FaultScene, Fault> fault) {
    return new FaultRow(name, fault, 1, MatrixArray.Kind.PLAIN, false, false, Map.of());
  }

  /** On another array: in the others, nothing tells of it but what the server says. */
  FaultRow on(MatrixArray.Kind array) {
    return new FaultRow(name, fault, requests, array, replaces, stalls, outcomes);
  }

  /** Where so many requests belong to one fault. */
  FaultRow taking(int count) {
    return new FaultRow(name, fault, count, kind, replaces, stalls, outcomes);
  }

  /** Where it puts other values into the array. */
  FaultRow replacing() {
    return new FaultRow(name, fault, requests, kind, true, stalls, outcomes);
  }

  /** A row of a server that falls silent: the store notices by its stall timeout alone. */
  FaultRow stalling() {
    return new FaultRow(name, fault, requests, kind, replaces, true, outcomes);
  }

  /** What becomes of it at a place: once without retries, twice, and always. */
  FaultRow at(Place place, Outcome once, Outcome twice, Outcome always) {
    Map<Place, Map<Occurrence, Outcome>> more = new EnumMap<>(Place.class);
    more.putAll(outcomes);
    more.put(
        place, Map.of(Occurrence.ONCE, once, Occurrence.TWICE, twice, Occurrence.ALWAYS, always));
    return new FaultRow(name, fault, requests, kind, replaces, stalls, more);
  }

  /** The same at a place, however often it happens. */
  FaultRow at(Place place, Outcome outcome) {
    return at(place, outcome, outcome, outcome);
  }

  /** The same at all places where nothing else is said. */
  FaultRow elsewhere(Outcome once, Outcome twice, Outcome always) {
    FaultRow all = this;
    for (Place place : Place.values()) {
      all = all.outcomes.containsKey(place) ? all : all.at(place, once, twice, always);
    }
    return all;
  }

  /** The same at all places where nothing else is said, however often it happens. */
  FaultRow elsewhere(Outcome outcome) {
    return elsewhere(outcome, outcome, outcome);
  }

  /** Every place with every occurrence. */
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
    /** What it has to end with, where nobody gives up. */
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
