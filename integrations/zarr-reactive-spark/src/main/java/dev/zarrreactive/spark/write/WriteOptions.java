package dev.zarrreactive.spark.write;

import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.partition.TableStoreOptions;
import dev.zarrreactive.spark.bridge.HadoopPlaces;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The options of a write, as {@code docs/spark.md} lists them. An unknown one is refused.
 *
 * @param store the store
 * @param group the path of the group or the array in the store
 * @param ofChunks true if rows are chunks
 * @param given all options, with names in lower case
 */
record WriteOptions(
    StoreDescription store, String group, boolean ofChunks, Map<String, String> given) {
  /** Options of the whole write. */
  private static final Set<String> OF_ALL =
      Set.of(
          "path",
          "group",
          "mode",
          "dimensions",
          "append",
          "extents",
          "descending",
          "template",
          "attributes",
          "zarr-format",
          "consolidated",
          "tasks",
          "resume",
          "message",
          "stream",
          "batch");

  /** Options of a new dataset, which has its metadata once it exists. */
  private static final Set<String> OF_NEW =
      Set.of(
          "dimensions",
          "extents",
          "descending",
          "template",
          "zarr-format",
          "consolidated",
          "attributes",
          "chunk-shape",
          "shard-shape",
          "codecs",
          "data-type",
          "packed",
          "missing",
          "fill-value");

  /** Options of one variable, with its name after a dot; the first ones also of all variables. */
  private static final List<String> OF_VARIABLES = List.of("chunk-shape", "shard-shape", "codecs");

  private static final List<String> OF_ONE_VARIABLE =
      List.of("attributes", "dimensions", "data-type", "packed", "missing", "fill-value");

  static WriteOptions of(Map<String, String> options) {
    TableStoreOptions ofStore = new TableStoreOptions();
    Map<String, String> given = new TreeMap<>();
    options.forEach(
        (key, value) -> {
          String name = key.toLowerCase(Locale.ROOT);
          if (ofStore.take(key, value)) {
            return;
          } else if (!isKnown(name)) {
            throw unknown(key);
          }
          given.put(name, value);
        });
    String location = given.get("path");
    if (location == null || location.isBlank()) {
      throw new IllegalArgumentException(
          "the location is missing; give one to save(), such as save(\"s3://bucket/era5.zarr\")");
    }
    String mode = given.getOrDefault("mode", "cells").strip().toLowerCase(Locale.ROOT);
    if (!Set.of("cells", "chunks").contains(mode)) {
      throw new IllegalArgumentException(
          "the option mode of a write is one of cells, chunks, not "
              + mode
              + "; the nodes of a hierarchy are written with their chunks or cells");
    }
    return new WriteOptions(
        HadoopPlaces.describe(location, ofStore.options()),
        given.getOrDefault("group", ""),
        mode.equals("chunks"),
        given);
  }

  private static boolean isKnown(String name) {
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    return dot < 0
        ? OF_ALL.contains(name) || OF_VARIABLES.contains(name)
        : OF_VARIABLES.contains(first) || OF_ONE_VARIABLE.contains(first);
  }

  private static IllegalArgumentException unknown(String key) {
    Set<String> names = new TreeSet<>(OF_ALL);
    names.addAll(OF_VARIABLES);
    Set<String> ofOne = new TreeSet<>(OF_ONE_VARIABLE);
    ofOne.addAll(OF_VARIABLES);
    return new IllegalArgumentException(
        "a write to the format zarr has no option "
            + key
            + "; it has "
            + String.join(", ", names)
            + "; for one variable "
            + String.join(", ", ofOne.stream().map(name -> name + ".NAME").toList())
            + "; branch for a repository; virtual:PREFIX for a container of virtual chunks; and"
            + " store.NAME for the options of the store");
  }

  /**
   * A batch of a stream, which is written once.
   *
   * @param stream the name of the stream, which has one writer at a time
   * @param number the place among its batches, which ascends
   */
  record Batch(String stream, long number) {}

  /** Returns the batch of a stream that the rows are; null where they are none. */
  @Nullable Batch batch() {
    String stream = given.get("stream");
    String number = given.get("batch");
    if (stream == null && number == null) {
      return null;
    }
    if (stream == null || stream.isBlank() || number == null) {
      throw new IllegalArgumentException(
          "the options stream and batch belong together: the name of a stream, and the number of"
              + " the batch in it");
    }
    long[] numbers = numbers("batch", number);
    if (numbers.length != 1 || numbers[0] < 0) {
      throw new IllegalArgumentException("the option batch is one number from 0, not " + number);
    }
    return new Batch(stream.strip(), numbers[0]);
  }

  /** These options without those of a new dataset. */
  WriteOptions ofExisting() {
    Map<String, String> left = new TreeMap<>(given);
    left.keySet().removeIf(name -> OF_NEW.contains(name.replaceFirst("\\..*", "")));
    return new WriteOptions(store, group, ofChunks, left);
  }

  /** Returns the option; null where it is not given. */
  @Nullable String text(String name) {
    return given.get(name);
  }

  /** Returns the option of one variable; null where it is not given. */
  @Nullable String text(String name, String variable) {
    return given.get(name + "." + variable.toLowerCase(Locale.ROOT));
  }

  /** Returns the names of an option, which has commas between them. */
  List<String> names(String name) {
    return TableStoreOptions.names(given.getOrDefault(name, ""));
  }

  /** Returns the numbers of an option. */
  static long[] numbers(String name, String text) {
    try {
      return TableStoreOptions.names(text).stream().mapToLong(Long::parseLong).toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the option " + name + " has integers with commas between them, not " + text, e);
    }
  }

  boolean flag(String name, boolean usual) {
    String text = given.get(name);
    if (text == null) {
      return usual;
    }
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "the option " + name + " is true or false, not " + text);
    };
  }

  /** Refuses options of variables that the rows do not have. */
  void checkVariables(List<String> columns) {
    for (String name : given.keySet()) {
      int dot = name.indexOf('.');
      String variable = name.substring(dot + 1);
      if (dot >= 0 && columns.stream().noneMatch(variable::equalsIgnoreCase)) {
        throw new IllegalArgumentException(
            "the option " + name + " is of no column; the columns are " + columns);
      }
    }
  }

  /**
   * Refuses options that mean nothing for this write.
   *
   * @param names the names of options; one with a dot at its end stands for options of one variable
   */
  void refuse(String why, String... names) {
    for (String name : names) {
      for (String key : given.keySet()) {
        if (name.endsWith(".") ? key.startsWith(name) : key.equals(name)) {
          throw new IllegalArgumentException("the option " + key + " " + why);
        }
      }
    }
  }

  /** The location and the path, for messages. */
  String target() {
    return store.location() + (group.isEmpty() ? "" : "/" + group);
  }
}
