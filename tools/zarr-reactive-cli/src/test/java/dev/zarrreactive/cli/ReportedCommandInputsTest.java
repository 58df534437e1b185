package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ReportedData;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small inputs on which the command once failed, with what is right for each. */
class ReportedCommandInputsTest {
  @TempDir Path directory;

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void statistics_without_a_finite_number_have_no_histogram() {
    ReportedData.unpack("021-stats-histogram-nan", directory);
    CommandRun nan = zarr("stats", at("allnan.zarr"), "--histogram", "2", "--percentiles", "50");
    assertThat(nan.err()).isEmpty();
    assertThat(nan.exitCode()).isZero();
    assertThat(nan.out()).contains("NaN          20\n", "min          none\n").endsWith("none\n");
    CommandRun empty = zarr("stats", at("empty.zarr"), "--histogram", "2");
    assertThat(empty.exitCode()).isZero();
    assertThat(empty.out()).contains("elements     0\n").endsWith("std          none\n");
    assertThat(zarr("stats", at("allnan.zarr"), "--histogram", "2", "--json").out())
        .isEqualTo(
            """
            {"elements":20,"chunks":1,"missing_chunks":0,"nan":20,"fill_values":0,"min":null,\
            "max":null,"mean":null,"std":null}
            """);
  }

  @Test
  @Sampled
  void shards_of_more_elements_than_an_int_counts_are_read_checked_and_compared()
      throws IOException {
    ReportedData.unpack("023-shard-extent-beyond-int", directory);
    String shards = at("bigshard.zarr");
    assertThat(zarr("read", shards, "--select", "4294967300:4294967306").out())
        .isEqualTo("int8 [6]\n[0 1 2 3 4 5]\n");
    assertThat(zarr("read", shards, "--select", "[4294967305, 3, 4294967301]").out())
        .isEqualTo("int8 [3]\n[5 0 1]\n");
    assertThat(zarr("copy", shards, at("copy.zarr"), "--quiet").exitCode()).isZero();
    boolean isQuick = Cases.some(1, 0) == 1;
    if (isQuick) {
      cut(Path.of(shards));
    }
    CommandRun check = zarr("validate", "--data", shards);
    assertThat(check.out()).contains(": no findings.\n");
    assertThat(check.exitCode()).isZero();
    if (isQuick) {
      return; // to compare 16 GiB takes long
    }
    CommandRun difference = zarr("diff", shards, at("copy.zarr"));
    assertThat(difference.out()).isEmpty();
    assertThat(difference.exitCode()).isZero();
  }

  /** Leaves 2^32 + 16 of 2^34 elements. */
  private static void cut(Path array) throws IOException {
    Path document = array.resolve("zarr.json");
    String text = Files.readString(document);
    String shorter =
        text.replaceFirst("\"shape\": *\\[\\s*17179869184\\s*]", "\"shape\":[4294967312]");
    assertThat(shorter).isNotEqualTo(text);
    Files.writeString(document, shorter);
  }

  @Test
  void characters_are_joined_to_texts_as_in_a_dataset() {
    ReportedData.unpack("026-command-characters", directory);
    String array = at("char.zarr/v");
    assertThat(zarr("read", array, "--decode").out()).isEqualTo("string [2]\n['abc' 'def']\n");
    assertThat(zarr("read", array, "--decode", "--select", "1", "--format", "json").out())
        .isEqualTo("\"def\"\n");
    assertThat(zarr("read", array, "--decode", "--format", "csv").out())
        .isEqualTo("n,v\r\n0,abc\r\n1,def\r\n");
    assertThat(zarr("read", array, "--raw").out()).startsWith("null_terminated_bytes[1] [2, 3]\n");
    assertThat(zarr("info", array).out()).contains("values       string [2]\n");
    assertThat(zarr("stats", at("char.zarr"), "--decode").out())
        .contains("/v     no statistics of string");
  }
}
