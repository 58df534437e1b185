package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import dev.zarrreactive.json.JsonDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

  private static NamedConfiguration codec(String configuration) {
    String json = "{'name':'blosc','configuration':" + configuration + "}";
    byte[] utf8 = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return NamedConfiguration.parse(JsonDocument.parse(ByteBuffer.wrap(utf8), Location.UNKNOWN));
  }

  private static BloscConfiguration parse(String configuration) {
    return BloscConfiguration.parse(codec(configuration));
  }

  @Test
  void every_member_is_read() {
    assertThat(
            parse(
                "{'cname':'zstd','clevel':7,'shuffle':'bitshuffle','typesize':8,'blocksize':512}"))
        .isEqualTo(new BloscConfiguration(Compressor.ZSTD, 7, Shuffle.BIT, 8, 512));
  }

  @Test
  void every_compressor_and_shuffle_has_its_name() {
    assertThat(Compressor.names())
        .containsExactly("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");
    assertThat(Shuffle.names()).containsExactly("noshuffle", "shuffle", "bitshuffle");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'cname':'lz4','clevel':5,'shuffle':'noshuffle','blocksize':0} | 1",
        "{'cname':'lz4','clevel':5,'shuffle':'noshuffle','typesize':0,'blocksize':0} | 1",
        "{'cname':'lz4','clevel':5,'shuffle':'noshuffle','typesize':8,'blocksize':0} | 8",
        "{'cname':'lz4','clevel':5,'shuffle':'noshuffle','typesize':300,'blocksize':0} | 1",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':300,'blocksize':0} | 300",
      })
  void a_typesize_is_needed_only_to_shuffle(String configuration, int typesize) {
    assertThat(parse(configuration).typesize()).isEqualTo(typesize);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':0} | cname",
        "{'cname':'lzma','clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':0} | cname",
        "{'cname':'LZ4','clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':0} | cname",
        "{'cname':'lz4','shuffle':'shuffle','typesize':4,'blocksize':0} | clevel",
        "{'cname':'lz4','clevel':10,'shuffle':'shuffle','typesize':4,'blocksize':0} | clevel",
        "{'cname':'lz4','clevel':-1,'shuffle':'shuffle','typesize':4,'blocksize':0} | clevel",
        "{'cname':'lz4','clevel':'5','shuffle':'shuffle','typesize':4,'blocksize':0} | clevel",
        "{'cname':'lz4','clevel':5,'typesize':4,'blocksize':0} | shuffle",
        "{'cname':'lz4','clevel':5,'shuffle':1,'typesize':4,'blocksize':0} | shuffle",
        "{'cname':'lz4','clevel':5,'shuffle':'auto','typesize':4,'blocksize':0} | shuffle",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','blocksize':0} | typesize",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':0,'blocksize':0} | typesize",
        "{'cname':'lz4','clevel':5,'shuffle':'bitshuffle','typesize':-4,'blocksize':0} | typesize",
        "{'cname':'lz4','clevel':5,'shuffle':'noshuffle','typesize':-1,'blocksize':0} | typesize",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':4.5,'blocksize':0} | typesize",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':4} | blocksize",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':-1} | blocksize",
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':0,'nthreads':2} |"
            + " nthreads",
        "{} | cname",
      })
  void a_configuration_that_is_not_the_codecs_is_refused_at_the_member(
      String configuration, String member) {
    assertThatThrownBy(() -> parse(configuration))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining(member)
        .hasMessageContaining("/configuration");
  }

  @Test
  void the_registry_makes_a_codec_that_follows_the_frame_and_not_its_configuration() {
    String configuration =
        "{'cname':'lz4','clevel':5,'shuffle':'shuffle','typesize':4,'blocksize':0}";
    NamedConfiguration named = codec(configuration);
    BytesToBytesCodec codec = (BytesToBytesCodec) CodecRegistry.standard().create(named);
    assertThat(codec.configuration()).isEqualTo(named);
    assertThat(codec.encodedSize(SizeBound.exactly(1000)))
        .isEqualTo(SizeBound.exactly(1000).compressed());

    byte[] bytes = Samples.steps(5000);
    DecodeTarget target = DecodeTarget.fresh(SizeBound.exactly(5000));
    assertThat(codec.decode(codec.encode(Bytes.wrap(bytes)), target).toByteArray())
        .isEqualTo(bytes);
    Bytes other = Samples.encode(bytes, Compressor.ZSTD, Shuffle.BIT, 8);
    assertThat(codec.decode(other, target).toByteArray()).isEqualTo(bytes);
  }
}
