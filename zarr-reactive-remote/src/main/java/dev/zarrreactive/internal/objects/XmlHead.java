package dev.zarrreactive.internal.objects;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The beginning of an XML body, as far as errors are told by it. */
public final class XmlHead {
  private static final Pattern ROOT =
      Pattern.compile("\\A\\uFEFF?\\s*(?:<[?!][^>]*>\\s*)*<(?:[\\w.-]{1,64}:)?([\\w.-]{1,64})");

  private static final Pattern CODE = Pattern.compile("<Code>\\s*([\\w.]{1,64})\\s*</Code>");

  private XmlHead() {}

  /** Returns the name of the root element, without its prefix; empty where there is none. */
  public static String root(String head) {
    Matcher root = ROOT.matcher(head);
    return root.find() ? root.group(1) : "";
  }

  /** Returns the code of an error, such as {@code NoSuchKey}; empty where it has none. */
  public static String code(String head) {
    Matcher code = CODE.matcher(head);
    return code.find() ? code.group(1) : "";
  }
}
