package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecRegistryTest {
  @ParameterizedTest
  @CsvSource({
    "zarrs.gdeflate, GDeflate",
    "gdeflate, GDeflate",
  })
  void a_codec_without_a_library_is_refused_by_its_name(String name, String format) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> CodecRegistry.standard().create(NamedConfiguration.of(name)))
        .withMessageContaining("the codec \"" + name + "\" is not supported")
        .withMessageContaining("there is no library for " + format + " on the JVM");
    assertThat(CodecRegistry.standard().names()).doesNotContain(name);
  }

  @Test
  void a_provider_of_a_codec_without_library_takes_precedence() {
    CodecProvider provider =
        new CodecProvider() {
          @Override
          public Set<String> names() {
            return Set.of("gdeflate");
          }

          @Override
          public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
            return registry.create(NamedConfiguration.of("bytes"));
          }
        };
    assertThat(
            CodecRegistry.standard()
                .with(provider)
                .create(NamedConfiguration.of("gdeflate"))
                .name())
        .isEqualTo("bytes");
  }

  @Test
  void any_other_name_is_unknown_and_the_known_names_are_listed() {
    assertThatExceptionOfType(UnknownExtensionException.class)
        .isThrownBy(() -> CodecRegistry.standard().create(NamedConfiguration.of("zfq")))
        .withMessageContaining("zstd");
  }
}
