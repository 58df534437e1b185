package dev.zarrreactive.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.cli.demo.StreamRecording.Journey;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The moving picture of the README shows what the library does: it is drawn from a read in virtual
 * time. With {@code -Dzarr.pictures.write=true} it is drawn anew.
 */
class StreamPictureTest {
  private static final StreamRecording RECORDING = StreamRecording.make();

  @ParameterizedTest
  @EnumSource(StreamPicture.Theme.class)
  void the_picture_shows_what_the_library_does(StreamPicture.Theme theme) throws Exception {
    String picture = StreamPicture.of(RECORDING, theme);
    Path file = Path.of("../../docs/stream-" + theme.name().toLowerCase(Locale.ROOT) + ".svg");
    if (Boolean.getBoolean("zarr.pictures.write")) {
      Files.writeString(file, picture);
    }
    assertThat(Files.readString(file)).isEqualTo(picture);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
  }

  /** GitHub shows an SVG file as an image, without scripts and without anything from elsewhere. */
  @Test
  void the_picture_needs_no_script_and_nothing_from_elsewhere_and_can_stand_still() {
    String picture = StreamPicture.of(RECORDING, StreamPicture.Theme.LIGHT);
    assertThat(picture)
        .doesNotContain("<script", "href", "url(", "data:", "@import")
        .contains("prefers-reduced-motion:reduce");
    assertThat(picture.length()).isLessThan(120_000);
  }

  @Test
  void every_chunk_is_emitted_once_and_at_most_eight_are_ahead_of_the_subscriber() {
    List<Journey> journeys = RECORDING.journeys;
    assertThat(journeys)
        .extracting(way -> way.row() * 8 + way.column())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 48).boxed().toList());
    for (Journey way : journeys) {
      assertThat(way.requested()).isLessThan(way.arrived());
      assertThat(way.arrived()).isLessThanOrEqualTo(way.emitted());
      long ahead =
          journeys.stream()
              .filter(other -> other.requested() <= way.requested())
              .filter(other -> other.emitted() > way.requested())
              .count();
      assertThat(ahead).isLessThanOrEqualTo(StreamRecording.CONCURRENCY);
    }
  }

  @Test
  void no_request_is_sent_while_the_subscriber_pauses() {
    long from = RECORDING.journeys.get(StreamRecording.PAUSED_AFTER - 1).emitted();
    long to = RECORDING.journeys.get(StreamRecording.PAUSED_AFTER).emitted();
    assertThat(to - from).isEqualTo(StreamRecording.PAUSE_MILLIS);
    assertThat(RECORDING.journeys)
        .noneMatch(way -> way.requested() > from && way.requested() < to)
        .filteredOn(way -> way.requested() <= from && way.emitted() >= to)
        .hasSize(StreamRecording.CONCURRENCY);
  }
}
