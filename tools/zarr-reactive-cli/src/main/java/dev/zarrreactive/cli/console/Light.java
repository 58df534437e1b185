package dev.zarrreactive.cli.console;

/** A sum of colours in linear light, whose mean is the colour that an eye sees from afar. */
public final class Light {
  private static final double[] LINEAR = new double[256];

  static {
    for (int value = 0; value < LINEAR.length; value++) {
      double v = value / 255.0;
      LINEAR[value] = v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    }
  }

  private double red;
  private double green;
  private double blue;
  private int count;

  /** Adds a colour, {@code 0xRRGGBB}. */
  public void add(int rgb) {
    red += LINEAR[(rgb >> 16) & 0xff];
    green += LINEAR[(rgb >> 8) & 0xff];
    blue += LINEAR[rgb & 0xff];
    count++;
  }

  /** Returns true before the first colour. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns the mean colour in sRGB, as {@code 0xRRGGBB}. */
  public int mean() {
    return (srgb(red) << 16) | (srgb(green) << 8) | srgb(blue);
  }

  private int srgb(double sum) {
    double v = sum / count;
    double encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055;
    return (int) Math.round(255 * encoded);
  }

  /** Returns the brightness of an sRGB colour, from 0 to 1, as an eye perceives it. */
  static double brightness(int rgb) {
    return (0.2126 * ((rgb >> 16) & 0xff) + 0.7152 * ((rgb >> 8) & 0xff) + 0.0722 * (rgb & 0xff))
        / 255;
  }
}
