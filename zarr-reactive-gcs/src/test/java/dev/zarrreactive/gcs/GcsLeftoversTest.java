package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multipart uploads that other programs have begun. */
@ExtendWith(NoLeaks.class)
class GcsLeftoversTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant OLD = Instant.now().minus(Duration.ofDays(3));

  @Test
  void are_listed_below_the_prefix_and_aborted_if_they_are_old() {
    try (XmlApiServer server = XmlApiServer.start()) {
      server.pagesOf(2);
      String bucket = server.newBucket();
      for (int i = 0; i < 5; i++) {
        server.beginMultipart(bucket, "data/a b/c/" + i % 3, OLD, 5, 7, 9, 11, i);
      }
      server.beginMultipart(bucket, "data/young", Instant.now(), 8);
      server.beginMultipart(bucket, "other/c/0", OLD, 8);
      server.beginMultipart(server.newBucket(), "data/a", OLD, 8);
      GcsStore all = server.at(bucket).open();
      GcsStore store = server.at(bucket).prefix("data").open();
      await(all.set(StoreKey.of("data/a b/c/0"), Bytes.utf8("x")));
      assertThat(await(store.leftovers(DAY).collectList()))
          .containsExactlyInAnyOrder(
              new Leftover("a b/c/0", 32),
              new Leftover("a b/c/0", 35),
              new Leftover("a b/c/1", 33),
              new Leftover("a b/c/1", 36),
              new Leftover("a b/c/2", 34));
      assertThat(await(store.clean(DAY))).isEqualTo(5);
      assertThat(await(store.leftovers(DAY).collectList())).isEmpty();
      assertThat(server.multiparts()).containsExactly("data/a", "data/young", "other/c/0");
      assertThat(await(all.get(StoreKey.of("data/a b/c/0")))).isEqualTo(Bytes.utf8("x"));
      await(store.close());
      await(all.close());
    }
  }

  @Test
  void of_a_server_that_does_not_list_them_are_an_error_and_nothing_is_removed() {
    try (FakeGcsServer server = FakeGcsServer.start()) {
      String bucket = server.newBucket();
      server.put(bucket, "a", new byte[] {7});
      GcsStore store = GcsStore.at(bucket).endpoint(server.emulator()).open();
      assertThat(errorOf(store.leftovers(Duration.ZERO).collectList()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("answered a list of uploads that is none");
      assertThat(errorOf(store.clean(Duration.ZERO))).isInstanceOf(StoreException.class);
      assertThat(await(store.get(StoreKey.of("a")))).isEqualTo(Bytes.wrap(new byte[] {7}));
      await(store.close());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "uploads",
        "<ListBucketResult/>",
        "<ListMultipartUploadsResult><Upload><Key>a</Key></Upload></ListMultipartUploadsResult>",
        "<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>1</UploadId>"
            + "<Initiated>yesterday</Initiated></Upload></ListMultipartUploadsResult>",
        "<ListMultipartUploadsResult><Upload>"
      })
  void in_broken_xml_are_refused(String xml) {
    Assertions.assertThatThrownBy(() -> UploadsXml.page(xml.getBytes(StandardCharsets.UTF_8), null))
        .isInstanceOf(XMLStreamException.class);
  }

  @Test
  void of_a_page_that_leads_to_itself_end_there() throws XMLStreamException {
    byte[] page =
        ("<ListMultipartUploadsResult><NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>1"
                + "</NextUploadIdMarker><IsTruncated>true</IsTruncated>"
                + "</ListMultipartUploadsResult>")
            .getBytes(StandardCharsets.UTF_8);
    UploadsXml.Marker first = UploadsXml.page(page, null).next();
    assertThat(first).isEqualTo(new UploadsXml.Marker("a", "1"));
    assertThat(UploadsXml.page(page, first)).isEqualTo(new UploadsXml.Page(List.of(), null));
    byte[] parts =
        ("<ListPartsResult><Part><Size>3</Size></Part><NextPartNumberMarker>1"
                + "</NextPartNumberMarker><IsTruncated>true</IsTruncated></ListPartsResult>")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(UploadsXml.parts(parts, null)).isEqualTo(new UploadsXml.Parts(3, 1L));
    assertThat(UploadsXml.parts(parts, 1L)).isEqualTo(new UploadsXml.Parts(3, null));
  }
}
