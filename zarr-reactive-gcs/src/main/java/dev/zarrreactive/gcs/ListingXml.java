package dev.zarrreactive.gcs;

import dev.zarrreactive.internal.objects.ObjectPage;
import dev.zarrreactive.internal.objects.XmlElements;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The listing of a bucket in XML. */
final class ListingXml {
  private ListingXml() {}

  /**
   * Parses a page.
   *
   * @throws XMLStreamException for other bytes
   */
  static ObjectPage parse(byte[] body) throws XMLStreamException {
    XMLStreamReader xml = XmlElements.open(body, "ListBucketResult");
    try {
      return page(xml);
    } finally {
      xml.close();
    }
  }

  private static ObjectPage page(XMLStreamReader xml) throws XMLStreamException {
    List<ObjectPage.Listed> objects = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    boolean isTruncated = false;
    String next = null;
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Contents" -> objects.add(object(xml));
        case "CommonPrefixes" -> prefixes(xml, prefixes);
        case "IsTruncated" -> isTruncated = XmlElements.text(xml).equals("true");
        case "NextContinuationToken" -> next = XmlElements.text(xml);
        default -> XmlElements.skip(xml);
      }
    }
    return new ObjectPage(objects, prefixes, isTruncated, next);
  }

  private static ObjectPage.Listed object(XMLStreamReader xml) throws XMLStreamException {
    String name = null;
    long size = -1;
    Instant modified = null;
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Key" -> name = xml.getElementText();
        case "Size" -> size = XmlElements.number(xml, "Size");
        case "LastModified" -> modified = time(XmlElements.text(xml));
        default -> XmlElements.skip(xml);
      }
    }
    if (name == null) {
      throw new XMLStreamException("an object has no Key");
    }
    return new ObjectPage.Listed(name, size, modified);
  }

  private static Instant time(String text) throws XMLStreamException {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new XMLStreamException("a LastModified that is no time: " + text, e);
    }
  }

  private static void prefixes(XMLStreamReader xml, List<String> prefixes)
      throws XMLStreamException {
    while (XmlElements.next(xml)) {
      if (xml.getLocalName().equals("Prefix")) {
        prefixes.add(xml.getElementText());
      } else {
        XmlElements.skip(xml);
      }
    }
  }
}
