package dev.zarrreactive.azure;

import dev.zarrreactive.internal.objects.ObjectPage;
import dev.zarrreactive.internal.objects.XmlElements;
import dev.zarrreactive.internal.transfer.HttpDate;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A page of the listing of a container.
 *
 * @param next the marker of the next page; null on the last page
 */
record BlobPage(List<Blob> blobs, List<String> prefixes, @Nullable String next) {

  /**
   * A blob.
   *
   * @param size in bytes; -1 where the page does not say
   * @param modified null where the page does not say
   */
  record Blob(String name, long size, @Nullable Instant modified) {}

  /**
   * Parses a page.
   *
   * @throws XMLStreamException for other bytes
   */
  static BlobPage parse(byte[] body) throws XMLStreamException {
    XMLStreamReader xml = XmlElements.open(body, "EnumerationResults");
    try {
      List<Blob> blobs = new ArrayList<>();
      List<String> prefixes = new ArrayList<>();
      String next = null;
      while (XmlElements.next(xml)) {
        switch (xml.getLocalName()) {
          case "Blobs" -> blobs(xml, blobs, prefixes);
          case "NextMarker" -> next = XmlElements.text(xml);
          default -> XmlElements.skip(xml);
        }
      }
      return new BlobPage(blobs, prefixes, next == null || next.isEmpty() ? null : next);
    } finally {
      xml.close();
    }
  }

  private static void blobs(XMLStreamReader xml, List<Blob> blobs, List<String> prefixes)
      throws XMLStreamException {
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Blob" -> {
          Blob blob = blob(xml);
          if (blob != null) {
            blobs.add(blob);
          }
        }
        case "BlobPrefix" -> prefixes(xml, prefixes);
        default -> XmlElements.skip(xml);
      }
    }
  }

  /** Reads a blob; null for a directory, which an account with a hierarchy lists, too. */
  private static @Nullable Blob blob(XMLStreamReader xml) throws XMLStreamException {
    String name = null;
    Properties properties = new Properties();
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Name" -> name = name(xml);
        case "Properties" -> properties.read(xml);
        default -> XmlElements.skip(xml);
      }
    }
    if (name == null) {
      throw new XMLStreamException("a blob has no Name");
    }
    return properties.isDirectory ? null : new Blob(name, properties.size, properties.modified);
  }

  private static final class Properties {
    private long size = -1;
    private @Nullable Instant modified;
    private boolean isDirectory;

    void read(XMLStreamReader xml) throws XMLStreamException {
      while (XmlElements.next(xml)) {
        switch (xml.getLocalName()) {
          case "Content-Length" -> size = XmlElements.number(xml, "Content-Length");
          case "Last-Modified" -> modified = HttpDate.parse(XmlElements.text(xml));
          case "ResourceType" -> isDirectory = XmlElements.text(xml).equals("directory");
          default -> XmlElements.skip(xml);
        }
      }
    }
  }

  private static void prefixes(XMLStreamReader xml, List<String> prefixes)
      throws XMLStreamException {
    while (XmlElements.next(xml)) {
      if (xml.getLocalName().equals("Name")) {
        prefixes.add(name(xml));
      } else {
        XmlElements.skip(xml);
      }
    }
  }

  /** Reads a name, which is percent-encoded where XML cannot express it. */
  private static String name(XMLStreamReader xml) throws XMLStreamException {
    boolean isEncoded = "true".equals(xml.getAttributeValue(null, "Encoded"));
    String name = xml.getElementText();
    if (!isEncoded) {
      return name;
    }
    try {
      return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new XMLStreamException("a Name is not encoded as it says");
    }
  }

  /** Returns the page as all stores of objects have it. */
  ObjectPage objects() {
    List<ObjectPage.Listed> objects =
        blobs.stream()
            .map(blob -> new ObjectPage.Listed(blob.name(), blob.size(), blob.modified()))
            .toList();
    return new ObjectPage(objects, prefixes, next != null, next);
  }
}
