package dev.zarrreactive.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

/** References that lead where they should not, or nowhere, end in located errors. */
class HostileLocationsTest {
  private static final String KEY = "t/c/0";

  private final MemoryStore objects = MemoryStore.create();
  private final InstrumentedStore seen = InstrumentedStore.of(objects);
  private final VirtualContainers containers =
      VirtualContainers.builder()
          .allow("s3://bucket/data/", seen)
          .allow("https://host.example/archive", seen)
          .build()
          .named(
              Map.of("mine", "s3://bucket/data/", "theirs", "s3://other/", "loop", "vcc://loop/"));

  private Throwable errorOf(VirtualLocation location) {
    ReferencedStore store = new ReferencedStore(containers).put(KEY, location);
    try {
      store.get(StoreKey.of(KEY)).subscribeOn(Schedulers.parallel()).block();
    } catch (ZarrException e) {
      assertThat(e.location().storeKey()).isEqualTo(KEY);
      return e;
    }
    throw new AssertionError("it was read: " + location);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://bucket/database/x",
        "s3://bucket/",
        "s3://bucket",
        "s3://bucket/dat",
        "s3://bucket2/data/x",
        "s3://bucket.data/data/x",
        "S3://BUCKET/data/x",
        "http://host.example/archive/x",
        "https://host.example.evil/archive/x",
        "https://host.example:8443/archive/x",
        "https://host.example/archives/x",
        "file:///etc/passwd",
        "/etc/passwd",
        "gs://bucket/data/x",
        "vcc://theirs/x",
        "memory://bucket/data/x",
        "jar:file:///x!/y",
      })
  void a_location_outside_of_every_container_causes_no_request(String url) {
    Throwable error = errorOf(VirtualLocation.of(url, 0, 10));
    assertThat(error).isInstanceOf(StoreException.class);
    if (!url.startsWith("jar")) {
      assertThat(error)
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("VirtualContainers.builder().allow(")
          .hasMessageContaining("or the option virtual:")
          .hasMessageContaining("(https://host.example/archive/, s3://bucket/data/)");
    }
    assertThat(seen.counts().requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "bucket/data/x",
        ":",
        "://",
        "s3:",
        "s3:/bucket/data/x",
        "s3:///data/x",
        "1s3://bucket/data/x",
        "s3://bucket/data/",
        "s3://bucket/data//x",
        "s3://bucket/data/./x",
        "s3://bucket/data/../secret",
        "s3://bucket/data/%2e%2e/secret",
        "s3://bucket/data/a%2F..%2Fx",
        "s3://bucket/data/a%00b",
        "s3://bucket/data/%ff%fe",
        "https://host.example/archive/../secret",
        "https://user:hunter2@host.example/archive/x",
        "vcc://nobody/x",
        "vcc://mine",
        "vcc://mine/",
        "vcc://mine/../x",
        "vcc://loop/x",
        "vcc://%zz/x",
      })
  void a_location_that_cannot_be_right_causes_no_request(String url) {
    Throwable error = errorOf(VirtualLocation.of(url, 0, 10));
    assertThat(error).isInstanceOf(StoreException.class);
    assertThat(error.getMessage()).doesNotContain("hunter2");
    assertThat(seen.counts().requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 10",
    "0, -1",
    "0, -2",
    "1, -1",
    "9223372036854775807, 1",
    "1, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "0, 3000000000",
  })
  void an_offset_or_a_length_that_cannot_be_right_causes_no_request(long offset, long length) {
    if (offset == 0 && length == VirtualLocation.WHOLE) {
      return; // the whole object
    }
    Throwable error = errorOf(VirtualLocation.of("s3://bucket/data/x", offset, length));
    assertThat(error).isInstanceOf(StoreException.class);
    assertThat(seen.counts().requests()).isEmpty();
  }

  @Test
  void errors_show_no_query_and_no_password() {
    assertThat(
            errorOf(VirtualLocation.of("s3://else/x?X-Amz-Signature=secret#also-secret", 0, 1))
                .getMessage())
        .contains("s3://else/x")
        .doesNotContain("secret");
    assertThat(
            errorOf(VirtualLocation.of("https://user:secret@else/x?token=secret", 0, 1))
                .getMessage())
        .contains("https://else/x")
        .doesNotContain("secret");
    assertThat(errorOf(VirtualLocation.of("s3://bucket/data/x?token=secret", 0, 1)).getMessage())
        .contains("is missing: s3://bucket/data/x")
        .doesNotContain("secret");
  }

  @Test
  void a_very_long_location_makes_a_short_error() {
    String url = "s3://else/" + "a/".repeat(500_000) + "x";
    assertThat(errorOf(VirtualLocation.of(url, 0, 1)).getMessage()).hasSizeLessThan(5_000);
  }

  @Test
  void an_object_that_is_missing_is_an_error_and_no_missing_value() {
    assertThat(errorOf(VirtualLocation.of("s3://bucket/data/a.nc", 3, 1)))
        .hasMessageContaining("is missing: s3://bucket/data/a.nc");
    assertThat(errorOf(VirtualLocation.whole("s3://bucket/data/a.nc")))
        .hasMessageContaining("is missing: s3://bucket/data/a.nc");
  }

  @Test
  void an_object_that_is_too_short_is_an_error_that_names_it() {
    objects.set(StoreKey.of("a.nc"), Bytes.utf8("0123456789")).block();
    assertThat(errorOf(VirtualLocation.of("s3://bucket/data/a.nc", 8, 3)))
        .hasMessageContaining("cut or replaced")
        .hasMessageContaining("s3://bucket/data/a.nc");
  }

  @Test
  void the_object_of_another_etag_is_not_read() {
    objects.set(StoreKey.of("a.nc"), Bytes.utf8("0123456789")).block();
    VirtualLocation some = VirtualLocation.of("s3://bucket/data/a.nc", 2, 3);
    assertThat(errorOf(some.with(new ObjectChecksum.ETag("abc"))))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("\"abc\"")
        .hasMessageContaining("s3://bucket/data/a.nc");
  }

  @Test
  void a_store_that_knows_no_times_refuses_a_reference_with_one() {
    objects.set(StoreKey.of("a.nc"), Bytes.utf8("0123456789")).block();
    VirtualLocation some = VirtualLocation.of("s3://bucket/data/a.nc", 2, 3);
    assertThat(errorOf(some.with(new ObjectChecksum.LastModified(Instant.now()))))
        .hasMessageContaining("does not tell when it was modified");
  }

  @Test
  void a_file_stays_in_its_directory(@TempDir Path directory) throws IOException {
    Path inside = Files.createDirectories(directory.resolve("in side"));
    Files.writeString(directory.resolve("secret"), "secret");
    Files.writeString(inside.resolve("a.nc"), "0123456789");
    Files.createSymbolicLink(inside.resolve("out"), directory.resolve("secret"));
    Files.createSymbolicLink(inside.resolve("up"), directory);
    Files.createSymbolicLink(inside.resolve("b.nc"), inside.resolve("a.nc"));
    VirtualContainers files =
        VirtualContainers.builder()
            .allow("file://" + directory.toString().replace(" ", "%20") + "/in%20side")
            .build();
    String base = inside.toString();
    for (String path : new String[] {"/a.nc", "/./a.nc", "//a.nc", "/x/../a.nc", "/b.nc"}) {
      assertThat(text(files, base + path)).as(path).isEqualTo("234");
    }
    assertThat(text(files, "file://localhost" + base.replace(" ", "%20") + "/a%2enc"))
        .isEqualTo("234");
    for (String path : new String[] {"/../secret", "/x/../../secret", "/../in side2/a"}) {
      assertThatThrownBy(() -> text(files, base + path))
          .as(path)
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("outside of every container");
    }
    for (String path : new String[] {"/out", "/up/secret"}) {
      assertThatThrownBy(() -> text(files, base + path))
          .as(path)
          .isInstanceOf(AccessDeniedException.class);
    }
    files.close().block();
  }

  @Test
  void a_file_that_is_newer_than_its_reference_is_not_read(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("a.nc"), "0123456789");
    Instant then = Instant.parse("2026-01-02T03:04:05.600Z");
    Files.setLastModifiedTime(file, FileTime.from(then));
    VirtualContainers files = VirtualContainers.builder().allow(directory.toString()).build();
    VirtualLocation some = VirtualLocation.of(file.toString(), 2, 3);
    ReferencedStore store =
        new ReferencedStore(files)
            .put("same", some.with(new ObjectChecksum.LastModified(then)))
            .put("second", some.with(new ObjectChecksum.LastModified(then.minusMillis(600))))
            .put("later", some.with(new ObjectChecksum.LastModified(then.plusSeconds(100))))
            .put("etag", some.with(new ObjectChecksum.ETag("2a-" + micros(then) + "-a")))
            .put(
                "older",
                some.with(new ObjectChecksum.ETag("2a-" + micros(then.minusSeconds(5)) + "-a")))
            .put("other", some.with(new ObjectChecksum.ETag("\"abc\"")))
            .put("before", some.with(new ObjectChecksum.LastModified(then.minusMillis(601))));
    for (String key : new String[] {"same", "second", "later", "etag"}) {
      assertThat(store.get(StoreKey.of(key)).block()).as(key).isEqualTo(Bytes.utf8("234"));
    }
    for (String key : new String[] {"older", "other"}) {
      assertThatThrownBy(() -> store.get(StoreKey.of(key)).block())
          .as(key)
          .isInstanceOf(PreconditionFailedException.class);
    }
    assertThatThrownBy(() -> store.get(StoreKey.of("before")).block())
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("as it was at 2026-01-02T03:04:04Z")
        .hasMessageContaining("key before");
  }

  private static String micros(Instant time) {
    return Long.toHexString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
  }

  private static String text(VirtualContainers containers, String url) {
    ReferencedStore store = new ReferencedStore(containers).put(KEY, VirtualLocation.of(url, 2, 3));
    Bytes read = store.get(StoreKey.of(KEY), new ByteRange.Suffix(3)).block();
    return new String(Objects.requireNonNull(read).toByteArray(), StandardCharsets.UTF_8);
  }
}
