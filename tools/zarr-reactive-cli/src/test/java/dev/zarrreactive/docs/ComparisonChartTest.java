package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.docs.ComparisonChart.Ratio;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The chart of the README has the ratios of the benchmarks' page. With {@code
 * -Dzarr.pictures.write=true} it is drawn anew.
 */
class ComparisonChartTest {
  private static final List<Ratio> RATIOS =
      ComparisonChart.table(
          Pages.lines(Pages.ROOT.resolve("benchmarks/README.md")),
          "### How fast is a read over HTTP?");

  @ParameterizedTest
  @EnumSource(ComparisonChart.Theme.class)
  void the_chart_shows_the_table_of_the_benchmarks(ComparisonChart.Theme theme) throws Exception {
    String picture = ComparisonChart.of(RATIOS, theme);
    Path file =
        Pages.ROOT.resolve("docs/compared-" + theme.name().toLowerCase(Locale.ROOT) + ".svg");
    if (Boolean.getBoolean("zarr.pictures.write")) {
      Files.writeString(file, picture);
    }
    assertThat(Files.readString(file)).isEqualTo(picture);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void the_table_has_each_client_at_each_latency() {
    assertThat(RATIOS)
        .hasSizeGreaterThan(60)
        .allSatisfy(ratio -> assertThat(ratio.ratio()).isBetween(0.06, 4.0));
    assertThat(RATIOS.stream().map(Ratio::client).distinct())
        .containsExactly("TensorStore", "zarr-python", "zarrita");
    assertThat(RATIOS.stream().map(Ratio::latency).distinct())
        .containsExactly("0 ms", "20 ms", "100 ms");
  }
}
