package dev.zarrreactive.docs;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * What a command prints on a terminal, as an SVG picture. Lines of half blocks are one image; a
 * line that is longer than the terminal is wide goes on below, as terminals do it.
 */
final class TerminalPicture {
  private static final double WIDTH = 7.8;
  private static final int HEIGHT = 17;
  private static final int MARGIN = 12;
  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[([0-9;]*)m");
  private static final String[] DARK = {
    "#21252b", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"
  };

  private final StringBuilder body = new StringBuilder();
  private final List<int[]> pixels = new ArrayList<>();
  private int columns;
  private int line;
  private String fill = "";
  private String weight = "";
  private int foreground;
  private int background;

  private final int limit;

  private TerminalPicture(int limit) {
    this.limit = limit;
  }

  /** Returns the picture of a command line and of its output, on a terminal of some columns. */
  static String of(String command, String output, int limit) {
    TerminalPicture picture = new TerminalPicture(limit);
    picture.add("$ " + command);
    output.lines().forEach(picture::add);
    picture.endImage();
    int width = (int) Math.ceil(picture.columns * WIDTH) + 2 * MARGIN;
    int height = picture.line * HEIGHT + 2 * MARGIN;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
    <rect width="%d" height="%d" rx="6" fill="#1e2127"/>
    <g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" fill="#d7dae0">
    %s</g>
    </svg>
    """
        .formatted(width, height, width, height, width, height, picture.body);
  }

  private void add(String text) {
    if (text.contains("▀") || text.contains("▄")) {
      addPixels(text);
    } else {
      endImage();
      addText(text);
    }
    line++;
  }

  private void addText(String text) {
    int column = 0;
    Matcher sequence = SEQUENCE.matcher(text);
    int from = 0;
    while (true) {
      boolean found = sequence.find();
      String run = text.substring(from, found ? sequence.start() : text.length());
      while (column + run.length() > limit) {
        place(run.substring(0, limit - column), column);
        run = run.substring(limit - column);
        column = 0;
        line++;
      }
      place(run, column);
      column += run.length();
      if (!found) {
        return;
      }
      style(sequence.group(1));
      from = sequence.end();
    }
  }

  private void place(String run, int column) {
    columns = Math.max(columns, column + run.length());
    if (!run.isBlank()) {
      body.append(
          "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\"%s%s>%s</text>%n"
              .formatted(
                  MARGIN + column * WIDTH,
                  MARGIN + line * HEIGHT + 13,
                  run.length() * WIDTH,
                  fill,
                  weight,
                  escaped(run)));
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace(' ', '\u00a0'); // XML joins plain spaces
  }

  private void style(String codes) {
    String[] parts = codes.split(";");
    for (int i = 0; i < parts.length; i++) {
      int code = parts[i].isEmpty() ? 0 : Integer.parseInt(parts[i]);
      if (code == 0) {
        fill = "";
        weight = "";
        foreground = 0;
        background = 0;
      } else if (code == 1) {
        weight = " font-weight=\"bold\"";
      } else if (code == 2) {
        fill = " fill=\"#8a919d\"";
      } else if (code >= 30 && code < 38) {
        fill = " fill=\"" + DARK[code - 30] + "\"";
      } else if (code == 38 || code == 48) { // ;2;red;green;blue
        int rgb = 0xff000000;
        for (int c = 0; c < 3; c++) {
          rgb |= Integer.parseInt(parts[i + 2 + c]) << (16 - 8 * c);
        }
        foreground = code == 38 ? rgb : foreground;
        background = code == 48 ? rgb : background;
        i += 4;
      }
    }
  }

  private void addPixels(String text) {
    List<int[]> cells = new ArrayList<>();
    StringBuilder label = new StringBuilder(); // what stands behind the picture
    Matcher part = Pattern.compile(SEQUENCE.pattern() + "|(.)").matcher(text);
    while (part.find()) {
      if (part.group(1) != null) {
        style(part.group(1));
      } else if (!label.isEmpty() || !"▀▄ ".contains(part.group(2))) {
        label.append(part.group(2));
      } else {
        cells.add(
            switch (part.group(2)) {
              case "▀" -> new int[] {foreground, background};
              case "▄" -> new int[] {background, foreground};
              default -> new int[] {background, background};
            });
      }
    }
    if (!label.isEmpty()) {
      cells.remove(cells.size() - 1); // the space before the label
      place(label.toString(), cells.size() + 1);
    }
    pixels.add(cells.stream().mapToInt(cell -> cell[0]).toArray());
    pixels.add(cells.stream().mapToInt(cell -> cell[1]).toArray());
    columns = Math.max(columns, cells.size());
  }

  private void endImage() {
    if (pixels.isEmpty()) {
      return;
    }
    int width = pixels.stream().mapToInt(row -> row.length).max().orElse(1);
    BufferedImage image = new BufferedImage(width, pixels.size(), BufferedImage.TYPE_INT_ARGB);
    for (int y = 0; y < pixels.size(); y++) {
      int[] row = Arrays.copyOf(pixels.get(y), width);
      image.setRGB(0, y, width, 1, row, 0, width);
    }
    int rows = pixels.size() / 2;
    body.append(
        "<image x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,%s\"/>%n"
            .formatted(
                MARGIN,
                MARGIN + (line - rows) * HEIGHT,
                width * WIDTH,
                rows * HEIGHT,
                Base64.getEncoder().encodeToString(png(image))));
    pixels.clear();
  }

  private static byte[] png(BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
