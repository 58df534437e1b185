package dev.zarrreactive.faults;

import static dev.zarrreactive.faults.FaultRow.row;
import static dev.zarrreactive.faults.Outcome.ACCESS_DENIED;
import static dev.zarrreactive.faults.Outcome.CHECKSUM_ERROR;
import static dev.zarrreactive.faults.Outcome.CODEC_ERROR;
import static dev.zarrreactive.faults.Outcome.FILL_VALUE;
import static dev.zarrreactive.faults.Outcome.METADATA_ERROR;
import static dev.zarrreactive.faults.Outcome.NODE_NOT_FOUND;
import static dev.zarrreactive.faults.Outcome.REPLACED;
import static dev.zarrreactive.faults.Outcome.RIGHT_VALUES;
import static dev.zarrreactive.faults.Outcome.STORE_ERROR;
import static dev.zarrreactive.faults.Outcome.TRANSIENT;
import static dev.zarrreactive.faults.Place.CHUNK;
import static dev.zarrreactive.faults.Place.INNER_CHUNK;
import static dev.zarrreactive.faults.Place.METADATA;
import static dev.zarrreactive.faults.Place.SHARD_INDEX;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.MatrixArray.Kind;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ServerResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The faults with their outcomes: once without retries, twice with retries, and always. */
final class FaultTable {
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");

  /** The page of a network that wants a sign-in first. */
  private static final Bytes SIGN_IN = Bytes.utf8("<!doctype html><title>Sign in</title>\n");

  private FaultTable() {}

  static List<FaultRow> rows() {
    return List.of(
        // Transient failures are retried while they last.
        row("408", scene -> scene.status(408, null)).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("429", scene -> scene.status(429, "0")).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("500", scene -> scene.status(500, null)).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("502", scene -> scene.status(502, null)).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("503", scene -> scene.status(503, null)).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("503, a second", scene -> scene.status(503, "1"))
            .elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("429, an hour", scene -> scene.status(429, "3600")).elsewhere(TRANSIENT),
        row("504", scene -> scene.status(504, null)).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("no listener", FaultScene::refused).elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("silence", scene -> Fault.silence())
            .stalling()
            .elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),

        // A request without a response is sent once more by the store itself.
        row("closed", scene -> Fault.closed()).elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),
        row("reset", scene -> Fault.reset()).elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),

        // A body that is cut is resumed, if the value is the same.
        row("closed after the head", scene -> Fault.cutAfter(0))
            .elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),
        row("body cut", scene -> Fault.cutAfter(scene.few()))
            .elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),
        row("body reset", scene -> Fault.resetAfter(scene.few()))
            .elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),
        row("body stalls", scene -> Fault.stallAfter(scene.few()))
            .stalling()
            .elsewhere(RIGHT_VALUES, RIGHT_VALUES, TRANSIENT),
        row("body cut, of no version", FaultTable::cutWithoutVersion)
            .at(INNER_CHUNK, RIGHT_VALUES, RIGHT_VALUES, REPLACED) // its shard has a version
            .elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),
        row("body cut, then replaced", FaultTable::cutThenReplaced)
            .taking(2)
            .replacing()
            .at(INNER_CHUNK, TRANSIENT, RIGHT_VALUES, REPLACED)
            .elsewhere(TRANSIENT, RIGHT_VALUES, TRANSIENT),

        // A slow response is no failure.
        row("delay", scene -> Fault.delay(Duration.ofMillis(60))).elsewhere(RIGHT_VALUES),
        row("bandwidth", scene -> Fault.bytesPerSecond(120_000)).elsewhere(RIGHT_VALUES),

        // Servers without ranges, and wrong headers.
        row("200 instead of 206", scene -> Fault.ignoreRange()).elsewhere(RIGHT_VALUES),
        row("206 instead of 200", scene -> Fault.answer(FaultTable::partial))
            .at(METADATA, STORE_ERROR)
            .at(CHUNK, STORE_ERROR),
        row("Content-Range of the next byte", scene -> Fault.answer(FaultTable::shifted))
            .at(SHARD_INDEX, STORE_ERROR)
            .at(INNER_CHUNK, STORE_ERROR),
        row("no Content-Range", scene -> Fault.header("content-range", null))
            .at(SHARD_INDEX, STORE_ERROR)
            .at(INNER_CHUNK, STORE_ERROR),

        // A refusal differs from a missing value. A missing value is no failure.
        row("401", scene -> scene.status(401, null)).elsewhere(ACCESS_DENIED),
        row("403", scene -> scene.status(403, null)).elsewhere(ACCESS_DENIED),
        row("404", scene -> scene.status(404, null))
            .at(
                METADATA,
                RIGHT_VALUES,
                NODE_NOT_FOUND,
                NODE_NOT_FOUND) // the read requests a group too
            .elsewhere(FILL_VALUE),

        // All reads of a shard see one version.
        row("replaced before it is read", scene -> Fault.before(scene.replaced()))
            .replacing()
            .at(CHUNK, RIGHT_VALUES)
            .at(SHARD_INDEX, RIGHT_VALUES)
            .at(INNER_CHUNK, RIGHT_VALUES, RIGHT_VALUES, REPLACED),
        row("ETag of another version", scene -> Fault.changingTags())
            .at(METADATA, RIGHT_VALUES)
            .at(CHUNK, RIGHT_VALUES)
            .elsewhere(RIGHT_VALUES, RIGHT_VALUES, REPLACED),

        // Wrong bytes are detected.
        row("a bit is wrong", scene -> Fault.body(FaultTable::flipped))
            .on(Kind.CHECKED)
            .at(METADATA, METADATA_ERROR)
            .elsewhere(CHECKSUM_ERROR),
        row("a value of half its size", scene -> Fault.body(FaultTable::half))
            .at(METADATA, METADATA_ERROR)
            .at(CHUNK, CODEC_ERROR),
        row("a value of twice its size", scene -> Fault.body(FaultTable::doubled))
            .at(METADATA, METADATA_ERROR)
            .at(CHUNK, CODEC_ERROR),
        row("another page", scene -> Fault.answer(given -> ServerResponse.of(200, SIGN_IN)))
            .at(METADATA, METADATA_ERROR)
            .at(INNER_CHUNK, RIGHT_VALUES, RIGHT_VALUES, REPLACED)
            .elsewhere(CODEC_ERROR),
        row("metadata without end", scene -> Fault.body(body -> Bytes.utf8("[".repeat(1_000_000))))
            .at(METADATA, METADATA_ERROR),
        row("index of places that cannot be", scene -> Fault.body(index(1L << 62, 1L << 62)))
            .on(Kind.BARE)
            .at(SHARD_INDEX, CODEC_ERROR),
        row("index of places that are too large", scene -> Fault.body(index(70_000, 1 << 30)))
            .on(Kind.BARE)
            .at(SHARD_INDEX, RIGHT_VALUES, CODEC_ERROR, CODEC_ERROR));
  }

  private static Fault cutWithoutVersion(FaultScene scene) {
    return Fault.cutAfter(scene.few()).and(Fault.header("etag", null));
  }

  private static Fault cutThenReplaced(FaultScene scene) {
    Fault cut = Fault.cutAfter(scene.few());
    Fault replaced = Fault.before(scene.replaced());
    return (asked, behaviour) ->
        (scene.strikes() % 2 == 0 ? cut : replaced).apply(asked, behaviour);
  }

  private static ServerResponse partial(ServerResponse whole) {
    int size = whole.body().size();
    return new ServerResponse(206, whole.headers(), whole.body())
        .with("content-range", "bytes 0-" + (size - 1) + "/" + size);
  }

  private static ServerResponse shifted(ServerResponse part) {
    Matcher range = CONTENT_RANGE.matcher(String.valueOf(part.headers().get("content-range")));
    return range.matches()
        ? part.with(
            "content-range",
            "bytes "
                + (Long.parseLong(range.group(1)) + 1)
                + "-"
                + (Long.parseLong(range.group(2)) + 1)
                + "/"
                + range.group(3))
        : part;
  }

  private static Bytes flipped(Bytes body) {
    byte[] bytes = body.toByteArray();
    bytes[bytes.length / 2] ^= 0x40;
    return Bytes.wrap(bytes);
  }

  private static Bytes half(Bytes body) {
    return body.slice(0, body.size() / 2);
  }

  private static Bytes doubled(Bytes body) {
    byte[] bytes = new byte[2 * body.size()];
    body.copyTo(0, bytes, 0, body.size());
    body.copyTo(0, bytes, body.size(), body.size());
    return Bytes.wrap(bytes);
  }

  private static UnaryOperator<Bytes> index(long offset, long size) {
    return body -> {
      ByteBuffer entries = ByteBuffer.allocate(body.size()).order(ByteOrder.LITTLE_ENDIAN);
      while (entries.remaining() >= 16) {
        entries.putLong(offset).putLong(size);
      }
      return Bytes.wrap(entries.array());
    };
  }
}
