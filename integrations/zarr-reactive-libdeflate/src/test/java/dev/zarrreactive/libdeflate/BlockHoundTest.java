package dev.zarrreactive.libdeflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** BlockHound permits the first decode, which links the library on the thread that needs it. */
class BlockHoundTest {
  @Test
  void the_library_is_linked_on_a_thread_that_must_not_block() throws Exception {
    byte[] data = Deflated.data(5000, 1);
    BytesToBytesCodec gzip =
        (BytesToBytesCodec)
            CodecRegistry.standard()
                .create(NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", 5)));
    byte[] encoded = gzip.encode(Bytes.wrap(data)).toByteArray();
    String call = "5000 " + gzip.configuration();
    try (LibraryOnPath path = LibraryOnPath.whole()) {
      BiFunction<String, byte[], String> decoding = path.decoding();
      decoding.apply(call, new byte[0]); // finds the codecs, and inflates nothing
      assertThat(
              Mono.fromSupplier(() -> decoding.apply(call, encoded))
                  .subscribeOn(Schedulers.parallel())
                  .block())
          .isEqualTo("5000 bytes: " + Arrays.hashCode(data));
    }
  }
}
