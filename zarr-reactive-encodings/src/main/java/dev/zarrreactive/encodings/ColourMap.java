package dev.zarrreactive.encodings;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The colours of numbers, from the least to the greatest. The tables of {@code viridis}, {@code
 * magma}, {@code inferno} and {@code plasma} are those of matplotlib by Nathaniel Smith, Stéfan van
 * der Walt and Eric Firing, in the public domain (CC0).
 */
public enum ColourMap {
  /** From black to white. */
  GREY("000000ffffff"),
  /** From dark blue over green to yellow, of even steps to the eye. */
  VIRIDIS(
      "44015444025645045745055946075a46085c460a5d460b5e470d60470e61471063471164471365481467"
          + "48166848176948186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677"
          + "482878482979472a7a472c7a472d7b472e7c472f7d46307e46327e46337f463480453581453781453882"
          + "443983443a83443b84433d84433e85423f854240864241864142874144874045884046883f47883f4889"
          + "3e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c"
          + "38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d33638d32648e32658e31668e"
          + "31678e31688e30698e306a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e"
          + "2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e"
          + "26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d"
          + "218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a"
          + "1e9c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a884"
          + "23a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c31b57b"
          + "32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf7046c06f48c16e"
          + "4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e"
          + "67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d549"
          + "89d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32"
          + "addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11c"
          + "d2e21bd5e21ad8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61e"
          + "f6e620f8e621fbe723fde725"),
  /** From black over red to pale yellow, of even steps to the eye. */
  MAGMA(
      "00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c"
          + "08071e0907200a08220b09240c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b"
          + "180f3d19103f1a10421c10441d11471e114920114b21114e22115024125325125527125829115a2a115c"
          + "2c115f2d11612f116331116533106734106936106b38106c390f6e3b0f703d0f713f0f72400f74420f75"
          + "440f764510774710784910784a10794c117a4e117b4f127b51127c52137c54137d56147d57157e59157e"
          + "5a167e5c167f5d177f5f187f601880621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81"
          + "701f81721f817320817521817621817822817922827b23827c23827e2482802582812581832681842681"
          + "8627818827818928818b29818c29818e2a81902a81912b81932b80942c80962c80982d80992d809b2e7f"
          + "9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357b"
          + "b3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73"
          + "ca3e72cc3f71cd4071cf4070d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968"
          + "df4a68e04c67e24d66e34e65e44f64e55064e75263e85362e95462ea5661eb5760ec5860ed5a5fee5b5e"
          + "ef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695cf56b5cf66c5cf66e5cf7705cf7725cf8745c"
          + "f8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63fc8e64"
          + "fc9065fd9266fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973"
          + "feaa74feac76feae77feb078feb27afeb47bfeb67cfeb77efeb97ffebb81febd82febf84fec185fec287"
          + "fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597fed799fed89afdda9cfddc9e"
          + "fddea0fde0a1fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8"
          + "fcf7b9fcf9bbfcfbbdfcfdbf"),
  /** From black over red to yellow, of even steps to the eye. */
  INFERNO(
      "00000401000501010601010802010a02020c02020e03021004031204031405041706041907051b08051d"
          + "09061f0a07220b07240c08260d08290e092b10092d110a30120a32140b34150b37160b39180c3c190c3e"
          + "1b0c411c0c431e0c451f0c48210c4a230c4c240c4f260c51280b53290b552b0b572d0b592f0a5b310a5c"
          + "320a5e340a5f3609613809623909633b09643d09653e0966400a67420a68440a68450a69470b6a490b6a"
          + "4a0c6b4c0c6b4d0d6c4f0d6c510e6c520e6d540f6d550f6d57106e59106e5a116e5c126e5d126e5f136e"
          + "61136e62146e64156e65156e67166e69166e6a176e6c186e6d186e6f196e71196e721a6e741a6e751b6e"
          + "771c6d781c6d7a1d6d7c1d6d7d1e6d7f1e6c801f6c82206c84206b85216b87216b88226a8a226a8c2369"
          + "8d23698f24699025689225689326679526679727669827669a28659b29649d29649f2a63a02a63a22b62"
          + "a32c61a52c60a62d60a82e5fa92e5eab2f5ead305dae305cb0315bb1325ab3325ab43359b63458b73557"
          + "b93556ba3655bc3754bd3853bf3952c03a51c13a50c33b4fc43c4ec63d4dc73e4cc83f4bca404acb4149"
          + "cc4248ce4347cf4446d04545d24644d34743d44842d54a41d74b3fd84c3ed94d3dda4e3cdb503bdd513a"
          + "de5238df5337e05536e15635e25734e35933e45a31e55c30e65d2fe75e2ee8602de9612bea632aeb6429"
          + "eb6628ec6726ed6925ee6a24ef6c23ef6e21f06f20f1711ff1731df2741cf3761bf37819f47918f57b17"
          + "f57d15f67e14f68013f78212f78410f8850ff8870ef8890cf98b0bf98c0af98e09fa9008fa9207fa9407"
          + "fb9606fb9706fb9906fb9b06fb9d07fc9f07fca108fca309fca50afca60cfca80dfcaa0ffcac11fcae12"
          + "fcb014fcb216fcb418fbb61afbb81dfbba1ffbbc21fbbe23fac026fac228fac42afac62df9c72ff9c932"
          + "f9cb35f8cd37f8cf3af7d13df7d340f6d543f6d746f5d949f5db4cf4dd4ff4df53f4e156f3e35af3e55d"
          + "f2e661f2e865f2ea69f1ec6df1ed71f1ef75f1f179f2f27df2f482f3f586f3f68af4f88ef5f992f6fa96"
          + "f8fb9af9fc9dfafda1fcffa4"),
  /** From blue over red to yellow, of even steps to the eye. */
  PLASMA(
      "0d088710078813078916078a19068c1b068d1d068e20068f2206902406912605912805922a05932c0594"
          + "2e05952f059631059733059735049837049938049a3a049a3c049b3e049c3f049c41049d43039e44039e"
          + "46039f48039f4903a04b03a14c02a14e02a25002a25102a35302a35502a45601a45801a45901a55b01a5"
          + "5c01a65e01a66001a66100a76300a76400a76600a76700a86900a86a00a86c00a86e00a86f00a87100a8"
          + "7201a87401a87501a87701a87801a87a02a87b02a87d03a87e03a88004a88104a78305a78405a78606a6"
          + "8707a68808a68a09a58b0aa58d0ba58e0ca48f0da4910ea3920fa39410a29511a19613a19814a099159f"
          + "9a169f9c179e9d189d9e199da01a9ca11b9ba21d9aa31e9aa51f99a62098a72197a82296aa2395ab2494"
          + "ac2694ad2793ae2892b02991b12a90b22b8fb32c8eb42e8db52f8cb6308bb7318ab83289ba3388bb3488"
          + "bc3587bd3786be3885bf3984c03a83c13b82c23c81c33d80c43e7fc5407ec6417dc7427cc8437bc9447a"
          + "ca457acb4679cc4778cc4977cd4a76ce4b75cf4c74d04d73d14e72d24f71d35171d45270d5536fd5546e"
          + "d6556dd7566cd8576bd9586ada5a6ada5b69db5c68dc5d67dd5e66de5f65de6164df6263e06363e16462"
          + "e26561e26660e3685fe4695ee56a5de56b5de66c5ce76e5be76f5ae87059e97158e97257ea7457eb7556"
          + "eb7655ec7754ed7953ed7a52ee7b51ef7c51ef7e50f07f4ff0804ef1814df1834cf2844bf3854bf3874a"
          + "f48849f48948f58b47f58c46f68d45f68f44f79044f79143f79342f89441f89540f9973ff9983ef99a3e"
          + "fa9b3dfa9c3cfa9e3bfb9f3afba139fba238fca338fca537fca636fca835fca934fdab33fdac33fdae32"
          + "fdaf31fdb130fdb22ffdb42ffdb52efeb72dfeb82cfeba2cfebb2bfebd2afebe2afec029fdc229fdc328"
          + "fdc527fdc627fdc827fdca26fdcb26fccd25fcce25fcd025fcd225fbd324fbd524fbd724fad824fada24"
          + "f9dc24f9dd25f8df25f8e125f7e225f7e425f6e626f6e826f5e926f5eb27f4ed27f3ee27f3f027f2f227"
          + "f1f426f1f525f0f724f0f921"),
  /** From blue over white to red: for numbers on both sides of a middle. */
  COOLWARM("3b4cc06788ee9abbffc9d7f0e8e3dfedd1c2f7a889e26952b40426");

  private static final int DIGITS = 6;

  /** Colours at even places, RRGGBB each. */
  private final String table;

  ColourMap(String table) {
    this.table = table;
  }

  /** The tables as numbers. */
  private static final class Tables {
    private static final Map<ColourMap, int[]> OF = new EnumMap<>(ColourMap.class);

    static {
      for (ColourMap map : values()) {
        int[] colours = new int[map.table.length() / DIGITS];
        Arrays.setAll(colours, i -> Integer.parseInt(map.table, i * DIGITS, (i + 1) * DIGITS, 16));
        OF.put(map, colours);
      }
    }
  }

  /**
   * Returns the map of a name, such as {@code viridis}, in capital or small letters.
   *
   * @throws IllegalArgumentException for another name; the message lists those that there are
   */
  public static ColourMap of(String name) {
    for (ColourMap map : values()) {
      if (map.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return map;
      }
    }
    throw new IllegalArgumentException(
        "the colours are one of " + Arrays.toString(values()) + ", not \"" + name + "\"");
  }

  /**
   * Returns the colour {@code 0xRRGGBB} of a place from 0 to 1, between the nearest two of the
   * table; that of an end for a place outside, and of the least for NaN.
   */
  public int colour(double place) {
    int[] colours = Objects.requireNonNull(Tables.OF.get(this));
    int last = colours.length - 1;
    double at = place > 0 ? Math.min(1, place) * last : 0;
    int below = Math.min((int) at, last - 1);
    double part = at - below;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int from = (colours[below] >> shift) & 0xff;
      int to = (colours[below + 1] >> shift) & 0xff;
      colour |= (int) Math.round(from + part * (to - from)) << shift;
    }
    return colour;
  }

  /** The name in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
