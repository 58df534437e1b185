package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.LyingServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.ReadCondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that encode bodies though they were asked for none. */
class EncodedBodyTest {
  private static final int SIZE = 100_000;

  private Served served;

  @BeforeEach
  void serve() {
    served = new Served(SIZE, false);
  }

  @AfterEach
  void close() {
    served.close();
  }

  private static Fault encoded(String coding, UnaryOperator<Bytes> encode) {
    return Fault.answer(
        answer ->
            new ServerResponse(answer.status(), answer.headers(), encode.apply(answer.body()))
                .with("content-encoding", coding)
                .with("content-length", null));
  }

  private interface Wrapping {
    OutputStream of(OutputStream out) throws IOException;
  }

  private static Bytes through(Bytes plain, Wrapping wrapping) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (OutputStream out = wrapping.of(encoded)) {
      out.write(plain.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.wrap(encoded.toByteArray());
  }

  static Bytes gzip(Bytes plain) {
    return through(plain, GZIPOutputStream::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip", "identity, gzip"})
  void a_whole_value_in_gzip_is_decoded(String coding) {
    served.server.misbehave(encoded(coding, EncodedBodyTest::gzip));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
    assertThat(await(served.store.get(KEY, ByteRange.whole(SIZE)))).isEqualTo(served.value);
    assertThat(await(served.store.getVersioned(KEY, null, ReadCondition.ALWAYS)).bytes())
        .isEqualTo(served.value);
  }

  @Test
  void a_whole_value_in_deflate_is_decoded() {
    served.server.misbehave(encoded("deflate", plain -> through(plain, DeflaterOutputStream::new)));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip, chunked", "GZIP , Chunked"})
  void a_transfer_coding_is_decoded_as_an_encoded_body_is(String codings) {
    byte[] body = gzip(Bytes.utf8("a chunk")).toByteArray();
    LyingServer.Script script =
        (asked, out) -> {
          String status = asked.header("range") == null ? "200 OK" : "206 Partial Content";
          out.write(
              LyingServer.bytes(
                  "HTTP/1.1 "
                      + status
                      + "\r\nTransfer-Encoding: "
                      + codings
                      + "\r\n"
                      + "Content-Range: bytes 1-3/7\r\n\r\n"
                      + Integer.toHexString(body.length)
                      + "\r\n"));
          out.write(body);
          out.write(LyingServer.bytes("\r\n0\r\n\r\n"));
        };
    try (LyingServer server = LyingServer.of(script)) {
      HttpStore store = HttpStore.open(server.uri());
      assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("a chunk"));
      assertThat(errorOf(store.get(KEY, new ByteRange.Slice(1, 3))))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("gzip");
      await(store.close());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "zstd", "gzip, gzip", "aws-chunked"})
  void another_coding_is_an_error_that_names_it(String coding) {
    served.server.misbehave(encoded(coding, plain -> plain));
    assertThat(errorOf(served.store.get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("\"" + coding + "\"")
        .hasMessageContaining(KEY.value());
  }

  @Test
  void a_range_of_an_encoded_value_is_an_error() {
    served.server.misbehave(encoded("gzip", EncodedBodyTest::gzip));
    for (ByteRange range :
        new ByteRange[] {
          new ByteRange.Slice(10, 20), new ByteRange.Suffix(20), new ByteRange.From(20)
        }) {
      assertThat(errorOf(served.store.get(KEY, range)))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("only whole values");
    }
  }

  @Test
  void a_bomb_ends_at_the_bound_of_the_value() {
    Bytes bomb = gzip(Bytes.wrap(new byte[1 << 26]));
    served.server.misbehave(encoded("gzip", plain -> bomb));
    assertThat(errorOf(served.store.get(KEY, ByteRange.whole(SIZE))))
        .isInstanceOf(ValueTooLargeException.class);
  }

  @Test
  void a_value_that_does_not_compress_may_have_its_bound() {
    served.server.misbehave(encoded("gzip", EncodedBodyTest::gzip));
    assertThat(await(served.store.get(KEY, ByteRange.whole(SIZE)))).isEqualTo(served.value);
    assertThat(errorOf(served.store.get(KEY, ByteRange.whole(SIZE - 1))))
        .isInstanceOf(ValueTooLargeException.class);
  }

  @Test
  void a_body_that_is_not_what_its_head_says_is_an_error() {
    served.server.misbehave(Fault.header("content-encoding", "gzip"));
    assertThat(errorOf(served.store.get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("not in gzip")
        .hasMessageContaining(KEY.value());
  }

  @Test
  void an_encoded_body_that_ends_too_early_may_be_whole_the_next_time() {
    served.server.misbehave(
        encoded("gzip", plain -> gzip(plain).slice(0, gzip(plain).size() - 100)));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    served.server.misbehave(encoded("gzip", EncodedBodyTest::gzip).and(Fault.cutAfter(1_000)));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
  }
}
