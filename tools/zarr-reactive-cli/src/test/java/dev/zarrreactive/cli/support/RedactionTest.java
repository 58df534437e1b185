package dev.zarrreactive.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '`',
      value = {
        "https://ann:hunter2@h.org/a.zarr -> https://***@h.org/a.zarr",
        "https://acct.blob.org/c/a?sv=2022&sig=hunter2%3D -> https://acct.blob.org/c/a?***",
        "see s3://b/k#hunter2 and go -> see s3://b/k#*** and go",
        "\"https:\\/\\/ann:hunter2@h.org\\/a\" -> \"https:\\/\\/***@h.org\\/a\"",
        "https://ann:hun/ter2@h.org/a -> https://***@h.org/a",
        "{\"api_key\": \"hunter2\", \"n\": 1} -> {\"api_key\": \"***\", \"n\": 1}",
        "{\"Password\":hunter2,\"n\":1} -> {\"Password\":\"***\",\"n\":1}",
        "{\"pass\\u0077ord\": \"hunter2\"} -> {\"pass\\u0077ord\": \"***\"}",
        "{\"credentials\": {\"a\": [\"hunter2\", 1], \"b\": 2}, \"n\": 1} -> {\"credentials\": \"***\", \"n\": 1}",
        "{\"tokens\": [\"hunter2\", {\"x\": \"}\"}], \"n\": 1} -> {\"tokens\": \"***\", \"n\": 1}",
        "{\"token\": \"hun\\\"ter2\"} -> {\"token\": \"***\"}",
        "{\"secret\": \"hunter2 -> {\"secret\": \"***\"",
        "{\"sas\": \"hunter2\"} -> {\"sas\": \"***\"}",
        "Authorization: Bearer hunter2hunter2 -> Authorization: ***",
        "AKIAIOSFODNN7EXAMPLE is an id -> *** is an id",
        "a ghp_hunter2hunter2hunter2 b -> a *** b",
        "eyJhbGciOi.eyJzdWIi.hunter2 -> ***",
        "password=hunter2&x=1 -> password=***&x=1",
      })
  void what_looks_like_a_secret_becomes_stars(String text, String redacted) {
    assertThat(Redaction.of(text)).isEqualTo(redacted).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '`',
      value = {
        "{\"chunk_key_encoding\": {\"name\": \"default\"}} -> same",
        "{\"keywords\": \"sea, ice\", \"units\": \"K\"} -> same",
        "{\"crs\": \"https://www.opengis.net/def/crs/EPSG/0/4326\"} -> same",
        "half { of \"a\" document [ -> same",
        "{\"a\": \"\\\\\", \"b\": \"x\"} -> same",
      })
  void everything_else_stays_as_it_is(String text, String same) {
    assertThat(same).isEqualTo("same");
    assertThat(Redaction.of(text)).isEqualTo(text);
  }

  @Test
  void a_hostile_document_takes_no_more_time_than_its_length() {
    String opened = "{\"secret\": " + "[{\"a\":".repeat(100_000);
    assertThat(Redaction.of(opened)).isEqualTo("{\"secret\": \"***\"");
    String quotes = "\\\"".repeat(200_000);
    assertThat(Redaction.of(quotes)).isEqualTo(quotes);
    String urls = "http://a@".repeat(100_000);
    assertThat(Redaction.of(urls)).hasSizeLessThan(urls.length());
    String names = "\"token".repeat(100_000);
    assertThat(Redaction.of(names)).startsWith("\"token");
  }
}
