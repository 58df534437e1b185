package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pictures of the terminal in the page of the command. With {@code -Dzarr.pictures.write=true}
 * they are drawn anew.
 */
class TerminalPicturesTest {
  private static final Path PICTURES = Path.of("../../docs");

  @ParameterizedTest
  @CsvSource({
    "terminal-info, 100, info earth.zarr/earth/relief",
    "terminal-header, 90, header earth.zarr/earth",
    "terminal-view, 80, view earth.zarr/earth/relief",
    "terminal-stats, 80, stats earth.zarr/earth/lat --percentiles 5 --histogram 8",
  })
  void a_picture_shows_what_the_command_prints(String name, int columns, String line)
      throws Exception {
    Terminal screen =
        new Terminal(false, true, true, columns, 24, Colours.TRUE, false, StandardCharsets.UTF_8);
    String[] words = line.split(" ");
    String place = CommandRun.EARTH.toString();
    for (int i = 0; i < words.length; i++) {
      words[i] = words[i].replace("earth.zarr", place);
    }
    CommandRun run = CommandRun.on(screen, words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    String picture =
        TerminalPicture.of("zarr " + line, run.out().replace(place, "earth.zarr"), columns);
    Path file = PICTURES.resolve(name + ".svg");
    if (Boolean.getBoolean("zarr.pictures.write")) {
      Files.writeString(file, picture);
    }
    String drawn = Files.readString(file);
    assertThat(withoutImages(drawn)).isEqualTo(withoutImages(picture));
    assertThat(drawn.length()).isLessThan(60_000);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(drawn.getBytes(StandardCharsets.UTF_8)));
  }

  /** Compressed pixels differ from Java to Java. */
  private static String withoutImages(String svg) {
    return svg.replaceAll("base64,[^\"]*", "");
  }

  @Test
  void the_page_has_every_picture() throws Exception {
    String page = Files.readString(PICTURES.resolve("command.md"));
    for (String name : new String[] {"info", "header", "view", "stats"}) {
      assertThat(page).contains("](terminal-" + name + ".svg)");
    }
  }
}
