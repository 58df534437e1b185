package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The options of a store are found among those of a table. */
class TableStoreOptionsTest {
  @Test
  void options_of_a_store_are_taken_and_others_are_left() {
    TableStoreOptions settings = new TableStoreOptions();
    assertThat(settings.take("STORE.Region", "eu")).isTrue();
    assertThat(settings.take("Branch", "main")).isTrue();
    assertThat(settings.take("Virtual:s3://Bucket/", "anonymous=true")).isTrue();
    assertThat(settings.take("store.virtual:s3://Other/", "")).isTrue();
    assertThat(settings.take("variables", "t")).isFalse();
    assertThat(settings.take("stores", "t")).isFalse();
    assertThat(settings.options())
        .isEqualTo(
            Map.of(
                "region", "eu",
                "branch", "main",
                "virtual:s3://Bucket/", "anonymous=true",
                "virtual:s3://Other/", ""));
  }

  @Test
  void an_option_that_is_given_twice_is_refused() {
    TableStoreOptions settings = new TableStoreOptions();
    settings.take("branch", "main");
    assertThat(settings.take("store.branch", "main")).isTrue();
    assertThatThrownBy(() -> settings.take("store.branch", "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the option branch is given twice");
  }

  @Test
  void lists_have_commas_and_drafts_have_years() {
    assertThat(TableStoreOptions.names(" a, ,b,")).containsExactly("a", "b");
    assertThat(TableStoreOptions.drafts(List.of("2023"))).isEqualTo(Drafts.of(Draft.OF_2023));
    assertThatThrownBy(() -> TableStoreOptions.drafts(List.of("2021")))
        .hasMessage("the option drafts has years of 2022, 2023, not 2021");
  }
}
