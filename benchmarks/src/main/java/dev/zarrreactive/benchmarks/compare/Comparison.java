package dev.zarrreactive.benchmarks.compare;

import java.util.List;
import java.util.Optional;

/**
 * The result of a workload at a place.
 *
 * @param place files, or a server behind a link
 * @param workload its name
 * @param entries of the clients, this one first
 */
record Comparison(String place, String workload, List<Entry> entries) {
  /** A client with its rounds. */
  record Entry(String name, Measured measured) {}

  Measured ours() {
    return entries.get(0).measured();
  }

  /** Returns the rounds of a client; empty where it is not installed. */
  Optional<Measured> of(String name) {
    return entries.stream()
        .filter(entry -> entry.name().equals(name))
        .map(Entry::measured)
        .findFirst();
  }

  /** Returns the entries of the other clients which did the work, as this one did. */
  List<Entry> done() {
    return entries.stream()
        .skip(ours().refusal() == null ? 1 : entries.size())
        .filter(entry -> entry.measured().refusal() == null)
        .toList();
  }
}
