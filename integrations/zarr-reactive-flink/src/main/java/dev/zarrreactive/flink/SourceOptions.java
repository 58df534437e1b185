package dev.zarrreactive.flink;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.partition.TableStoreOptions;
import dev.zarrreactive.partition.ValueRules;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The options of a table, as {@code docs/flink.md} lists them.
 *
 * @param store the store, at one version once it is opened
 * @param group the path of the group or the array in the store
 * @param variables the names of variables; empty for those that are declared as columns
 * @param dimensions the names of the dimensions of a row; empty for those of the variables
 * @param select the selection of the dimensions, in NumPy notation; empty for all
 */
record SourceOptions(
    StoreDescription store,
    String group,
    List<String> variables,
    List<String> dimensions,
    String select,
    ValueRules rules,
    List<String> drafts,
    long splitBytes,
    int maxSplits,
    int concurrency)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** The beginnings of options that have names of their own behind them. */
  static final String[] BEGINNINGS = TableStoreOptions.beginnings().toArray(String[]::new);

  static final ConfigOption<String> LOCATION =
      ConfigOptions.key("location").stringType().noDefaultValue();
  private static final ConfigOption<String> GROUP = text("group");
  private static final ConfigOption<String> VARIABLES = text("variables");
  private static final ConfigOption<String> DIMENSIONS = text("dimensions");
  private static final ConfigOption<String> SELECT = text("select");
  private static final ConfigOption<String> DRAFTS = text("drafts");
  private static final ConfigOption<ValueRules> DECODE =
      ConfigOptions.key("decode").enumType(ValueRules.class).defaultValue(ValueRules.CF);
  private static final ConfigOption<MemorySize> SPLIT_BYTES =
      ConfigOptions.key("split-bytes").memoryType().defaultValue(MemorySize.ofMebiBytes(128));
  private static final ConfigOption<Integer> MAX_SPLITS =
      ConfigOptions.key("max-splits").intType().defaultValue(4096);
  private static final ConfigOption<Integer> CONCURRENCY =
      ConfigOptions.key("concurrency").intType().defaultValue(4);
  private static final List<ConfigOption<String>> OF_VERSIONS =
      TableStoreOptions.ofVersions().stream().map(SourceOptions::text).toList();

  private static ConfigOption<String> text(String name) {
    return ConfigOptions.key(name).stringType().defaultValue("");
  }

  static List<ConfigOption<?>> optional() {
    List<ConfigOption<?>> all =
        new ArrayList<>(
            List.of(
                GROUP,
                VARIABLES,
                DIMENSIONS,
                SELECT,
                DECODE,
                DRAFTS,
                SPLIT_BYTES,
                MAX_SPLITS,
                CONCURRENCY));
    all.addAll(OF_VERSIONS);
    return all;
  }

  /**
   * Reads the options.
   *
   * @param given the options that Flink has checked
   * @param all all of them, with those of the store
   * @throws IllegalArgumentException for a wrong value, and for a secret
   */
  static SourceOptions of(ReadableConfig given, Map<String, String> all) {
    TableStoreOptions ofStore = new TableStoreOptions();
    all.forEach(
        (name, value) -> {
          if (!value.isBlank()) {
            ofStore.take(name, value.strip());
          }
        });
    return new SourceOptions(
        new StoreDescription(given.get(LOCATION).strip(), ofStore.options()),
        given.get(GROUP).strip(),
        TableStoreOptions.names(given.get(VARIABLES)),
        TableStoreOptions.names(given.get(DIMENSIONS)),
        given.get(SELECT).strip(),
        given.get(DECODE),
        TableStoreOptions.names(given.get(DRAFTS)),
        Math.max(1, given.get(SPLIT_BYTES).getBytes()),
        positive(given, MAX_SPLITS),
        Math.min(1 << 10, positive(given, CONCURRENCY)));
  }

  private static int positive(ReadableConfig given, ConfigOption<Integer> option) {
    int number = given.get(option);
    if (number < 1) {
      throw new IllegalArgumentException(
          "the option " + option.key() + " is a number above 0, not " + number);
    }
    return number;
  }

  /** These options, with another description of the store. */
  SourceOptions with(StoreDescription other) {
    return new SourceOptions(
        other,
        group,
        variables,
        dimensions,
        select,
        rules,
        drafts,
        splitBytes,
        maxSplits,
        concurrency);
  }

  /** The options of operations: which drafts are accepted. */
  ZarrOptions operations() {
    return ZarrOptions.defaults().withDrafts(TableStoreOptions.drafts(drafts));
  }
}
