package dev.zarrreactive.testkit.codec;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A contract that nothing can break proves nothing: each codec below breaks it in one way. */
class CodecContractsBiteTest {

  /** Writes a 32-bit size, then the data. */
  private static class Sized implements BytesToBytesCodec {
    @Override
    public NamedConfiguration configuration() {
      return NamedConfiguration.of("sized");
    }

    @Override
    public SizeBound encodedSize(SizeBound decoded) {
      return decoded.plus(4);
    }

    @Override
    public Bytes encode(Bytes decoded) {
      byte[] encoded = new byte[decoded.size() + 4];
      for (int i = 0; i < 4; i++) {
        encoded[i] = (byte) (decoded.size() >>> (8 * i));
      }
      decoded.copyTo(0, encoded, 4, decoded.size());
      return Bytes.wrap(encoded);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodeTarget target) {
      if (encoded.size() < 4 || encoded.getInt(0) != encoded.size() - 4) {
        throw new CodecException("says another size than it has", Location.UNKNOWN);
      }
      DecodeTarget.Region region = target.allocate(encoded.getInt(0));
      encoded.copyTo(4, region.array(), region.offset(), region.length());
      return region.toBytes();
    }
  }

  private static void assertBroken(
      BytesToBytesCodec codec, Consumer<BytesToBytesCodecContract> test) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> test.accept(new ContractOfCodec(codec)));
    assertThatCode(() -> test.accept(new ContractOfCodec(new Sized()))).doesNotThrowAnyException();
  }

  @Test
  void a_codec_that_pads_is_found_out() {
    assertBroken(
        new Sized() {
          @Override
          public Bytes decode(Bytes encoded, DecodeTarget target) {
            return Bytes.wrap(Arrays.copyOfRange(encoded.toByteArray(), 4, 4 + encoded.getInt(0)));
          }
        },
        BytesToBytesCodecContract::what_is_cut_off_is_refused);
  }

  @Test
  void a_codec_that_overlooks_what_follows_is_found_out() {
    assertBroken(
        new Sized() {
          @Override
          public Bytes decode(Bytes encoded, DecodeTarget target) {
            target.check(encoded.getInt(0));
            return encoded.slice(4, encoded.getInt(0));
          }
        },
        BytesToBytesCodecContract::what_is_followed_by_something_is_refused);
  }

  @Test
  void a_codec_that_throws_what_its_library_throws_is_found_out() {
    assertBroken(
        new Sized() {
          @Override
          public Bytes decode(Bytes encoded, DecodeTarget target) {
            target.check(encoded.size() - 4);
            return encoded.slice(4, encoded.getInt(0));
          }
        },
        BytesToBytesCodecContract::damage_is_refused_or_does_no_harm);
  }

  @Test
  void a_codec_that_allocates_what_is_declared_is_found_out() {
    assertBroken(
        new Sized() {
          @Override
          public Bytes decode(Bytes encoded, DecodeTarget target) {
            byte[] result = new byte[encoded.getInt(0)];
            encoded.copyTo(4, result, 0, result.length);
            target.check(result.length);
            return Bytes.wrap(result);
          }
        },
        BytesToBytesCodecContract::a_bomb_costs_no_more_than_what_was_expected);
  }

  @Test
  void a_codec_that_uses_its_memory_again_is_found_out() {
    assertBroken(
        new Sized() {
          private final byte[] memory = new byte[1 << 20];

          @Override
          public Bytes decode(Bytes encoded, DecodeTarget target) {
            Bytes decoded = super.decode(encoded, target);
            decoded.copyTo(0, memory, 0, decoded.size());
            return Bytes.wrap(memory, 0, decoded.size());
          }
        },
        BytesToBytesCodecContract::input_is_left_as_it_is_and_results_stay_what_they_are);
  }

  @Test
  void a_codec_that_breaks_its_own_bound_is_found_out() {
    assertBroken(
        new Sized() {
          @Override
          public SizeBound encodedSize(SizeBound decoded) {
            return decoded.plus(3);
          }
        },
        BytesToBytesCodecContract::encoded_sizes_keep_within_their_bound);
  }

  @Test
  void a_codec_with_state_is_found_out() {
    assertBroken(
        new Sized() {
          private int calls;

          @Override
          public Bytes encode(Bytes decoded) {
            byte[] encoded = super.encode(decoded).toByteArray();
            encoded[0] += (byte) calls++;
            return Bytes.wrap(encoded);
          }
        },
        BytesToBytesCodecContract::the_same_bytes_are_always_encoded_to_the_same);
  }
}
