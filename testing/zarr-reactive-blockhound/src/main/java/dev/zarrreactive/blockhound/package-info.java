/** Tells BlockHound of blocking calls that it does not know. */
@NullMarked
package dev.zarrreactive.blockhound;

import org.jspecify.annotations.NullMarked;
