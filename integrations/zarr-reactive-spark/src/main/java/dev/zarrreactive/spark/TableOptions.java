package dev.zarrreactive.spark;

import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.partition.PreferredHosts;
import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.partition.TableLayout;
import dev.zarrreactive.partition.TableStoreOptions;
import dev.zarrreactive.partition.ValueRules;
import dev.zarrreactive.spark.bridge.HadoopPlaces;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of a table, as {@code docs/spark.md} lists them. An unknown one is refused.
 *
 * @param store the store, at one version once it is opened
 * @param given the store as the caller names it
 * @param group the path of the group or the array in the store
 * @param variables the names of variables; empty for all
 * @param dimensions the names of the dimensions of a row; empty for those of the variables
 * @param select the selection of the dimensions, in NumPy notation; empty for all
 * @param times the type of times
 * @param hosts the hosts that are near the store
 * @param follow the dimension along which a stream reads; empty for none
 * @param followMost the most indices of it in a batch of a stream
 */
record TableOptions(
    StoreDescription store,
    StoreDescription given,
    String group,
    Mode mode,
    List<String> variables,
    List<String> dimensions,
    String select,
    ValueRules rules,
    Times times,
    List<String> drafts,
    long splitBytes,
    int maxSplits,
    int concurrency,
    PreferredHosts hosts,
    String follow,
    long followMost)
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Set<String> NAMES =
      new TreeSet<>(
          Set.of(
              "path",
              "group",
              "mode",
              "variables",
              "dimensions",
              "select",
              "decode",
              "times",
              "drafts",
              "split-bytes",
              "max-splits",
              "concurrency",
              "hosts",
              "follow",
              "follow-most"));

  /** The kinds of rows. */
  enum Mode {
    CELLS,
    CHUNKS,
    ARRAYS
  }

  /** The types of times: without a zone, or instants, of which the stored times are UTC. */
  enum Times {
    TIMESTAMP_NTZ,
    TIMESTAMP
  }

  static TableOptions of(CaseInsensitiveStringMap given) {
    TableStoreOptions ofStore = new TableStoreOptions();
    given
        .asCaseSensitiveMap()
        .forEach(
            (key, value) -> {
              if (!ofStore.take(key, value)) {
                check(key);
              }
            });
    String location = given.get("path");
    if (location == null || location.isBlank()) {
      throw new IllegalArgumentException(
          "the location is missing; give one to load(), such as load(\"s3://bucket/era5.zarr\")");
    }
    StoreDescription store = HadoopPlaces.describe(location, ofStore.options());
    return new TableOptions(
        store,
        store,
        given.getOrDefault("group", ""),
        constant(Mode.class, "mode", given.getOrDefault("mode", "cells")),
        TableStoreOptions.names(given.getOrDefault("variables", "")),
        TableStoreOptions.names(given.getOrDefault("dimensions", "")),
        given.getOrDefault("select", ""),
        constant(ValueRules.class, "decode", given.getOrDefault("decode", "cf")),
        constant(Times.class, "times", given.getOrDefault("times", "timestamp_ntz")),
        TableStoreOptions.names(given.getOrDefault("drafts", "")),
        positive(given, "split-bytes", 128L << 20),
        (int) Math.min(Integer.MAX_VALUE, positive(given, "max-splits", 4096)),
        (int) Math.min(1 << 10, positive(given, "concurrency", 4)),
        new PreferredHosts(TableStoreOptions.names(given.getOrDefault("hosts", ""))),
        given.getOrDefault("follow", "").strip(),
        positive(given, "follow-most", Long.MAX_VALUE));
  }

  /** Refuses a name that is none of an option. */
  private static void check(String key) {
    if (!NAMES.contains(key.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "the format zarr has no option "
              + key
              + "; it has "
              + String.join(", ", NAMES)
              + "; of a version "
              + String.join(", ", TableStoreOptions.ofVersions())
              + "; virtual:PREFIX for a container of virtual chunks; and store.NAME for the options"
              + " of the store");
    }
  }

  /** These options, with another description of the store. */
  TableOptions with(StoreDescription other) {
    return new TableOptions(
        other,
        given,
        group,
        mode,
        variables,
        dimensions,
        select,
        rules,
        times,
        drafts,
        splitBytes,
        maxSplits,
        concurrency,
        hosts,
        follow,
        followMost);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String option, String text) {
    List<String> known = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text.strip())) {
        return constant;
      }
      known.add(constant.name().toLowerCase(Locale.ROOT));
    }
    throw new IllegalArgumentException(
        "the option " + option + " is one of " + String.join(", ", known) + ", not " + text);
  }

  private static long positive(CaseInsensitiveStringMap given, String option, long usual) {
    String text = given.get(option);
    if (text == null) {
      return usual;
    }
    try {
      long number = Long.parseLong(text.strip());
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same message
    }
    throw new IllegalArgumentException(
        "the option " + option + " is a number above 0, not " + text);
  }

  /** What is asked of the metadata for a table of cells. */
  TableLayout.Request request() {
    return new TableLayout.Request(variables, dimensions, select, rules.rules());
  }

  /** The drafts that are accepted. */
  Drafts acceptedDrafts() {
    return TableStoreOptions.drafts(drafts);
  }
}
