/* REQ8 and QF322F16 written by hand in double arithmetic: a filter for `halfulp replay`.
 *
 *     cc -std=c99 -Wall -o filter vectors/examples/filter.c -lm
 *     halfulp replay vectors/req8.*.jsonl vectors/qf322f16.*.jsonl -- ./filter {conversion}
 *
 * The exact product has at most 42 significant bits and an exponent far inside the range of a double, so that a double
 * holds it, and it is rounded once. With -DTHROUGH_FLOAT it is a float on its way, as in code that multiplies in single
 * precision: then it is rounded twice, which goes wrong only near a tie. The vectors know where.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NV = 0x01, OF = 0x04, UF = 0x08, NX = 0x10 };

struct controls {
    char rounding[4];
    bool saturate;
};

struct inputs {
    uint32_t value;
    unsigned relu;
    uint64_t quant_param, relu_param;
};

struct outputs {
    unsigned result, flags;
};

static double multiply(double value, double factor)
{
#ifdef THROUGH_FLOAT
    return (float)(value * factor);
#else
    return value * factor;
#endif
}

/* The factor is an FP19 code, +0 or a normal number: 8 exponent bits with bias 127, 10 fraction bits. */
static double factor_of(struct inputs in, bool negative)
{
    uint32_t code = (uint32_t)(in.quant_param >> 13 & 0x7ffff);
    if (negative && in.relu == 1)
        code = 0;
    else if (negative && in.relu > 1)
        code = (uint32_t)(in.relu_param & 0x7ffff);
    return code == 0 ? 0.0 : ldexp(1024 + (code & 1023), (int)(code >> 10) - 137);
}

/* One rounding to an integer. What trunc leaves over is exact, so that a tie is one half and nothing else is. */
static double rounded(const char *rounding, double x)
{
    double whole = trunc(x), rest = fabs(x - whole);
    double away = x < 0 ? whole - 1 : whole + 1;
    bool odd = fmod(whole, 2) != 0;
    bool nearest = rounding[1] == 'n' || rounding[1] == 'h';
    if (rest == 0 || strcmp(rounding, "rtz") == 0 || (nearest && rest < 0.5))
        return whole;
    if (nearest && rest > 0.5)
        return away;
    if (strcmp(rounding, "rtm") == 0)
        return floor(x);
    if (strcmp(rounding, "rtp") == 0 || strcmp(rounding, "rhb") == 0)
        return ceil(x);
    if (strcmp(rounding, "rne") == 0)
        return odd ? away : whole;
    if (strcmp(rounding, "rto") == 0)
        return odd ? whole : away;
    return away; /* rna */
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static struct outputs req8(struct controls how, struct inputs in)
{
    int32_t value = (int32_t)in.value;
    double product = multiply(value, factor_of(in, value < 0));
    double whole = rounded(how.rounding, product);
    double intermediate = clamp(whole, -256, 255);
    int offset = (int)(in.quant_param >> 37 & 0x1ff);
    int total = (int)intermediate + (offset < 256 ? offset : offset - 512);
    int last = (int)clamp(total, -128, 127);
    bool overflow = intermediate != whole || last != total;
    struct outputs out = {
        .result = (unsigned)(how.saturate ? last : total) & 0xff,
        .flags = overflow ? OF | NX : whole != product ? NX : 0,
    };
    return out;
}

static struct outputs qf322f16(struct controls how, struct inputs in)
{
    const unsigned infinity = 0x7c00, largest = 0x7bff, quiet_nan = 0x7e00;
    uint32_t magnitude = in.value & 0x7fffffff;
    bool is_nan = magnitude > 0x7f800000, negative = in.value >> 31 && !is_nan;
    unsigned sign = negative ? 0x8000 : 0;
    double factor = factor_of(in, negative);
    struct outputs zero = {0, 0}, signed_zero = {sign, 0};
    struct outputs over = {sign | (how.saturate ? largest : infinity), OF | NX};
    if (is_nan) {
        struct outputs out = {how.saturate ? 0 : quiet_nan, magnitude & 0x400000 ? 0 : NV};
        return out;
    }
    if (factor == 0)
        return zero;
    if (magnitude == 0)
        return signed_zero;
    if (magnitude == 0x7f800000) {
        over.flags = how.saturate ? OF | NX : 0;
        return over;
    }
    float value;
    memcpy(&value, &in.value, sizeof value);
    double product = fabs(multiply(value, factor));
    int exponent; /* the product is below 2^exponent, and at least half of that */
    frexp(product, &exponent);
    if (exponent > 16)
        return over;
    /* In units in the last place, 2^-24 at least, the rounded product is the code but for the binades below it. */
    int place = exponent - 11 > -24 ? exponent - 11 : -24;
    double quanta = ldexp(product, -place), whole = rounded(how.rounding, quanta);
    unsigned code = (unsigned)(place + 24) * 1024 + (unsigned)whole;
    if (code > largest)
        return over;
    bool inexact = whole != quanta, tiny = exponent <= -14;
    struct outputs out = {sign | code, !inexact ? 0 : tiny ? UF | NX : NX};
    return out;
}

int main(int argc, char **argv)
{
    char mode[9] = "", saturate[6] = "";
    struct controls how = {"", false};
    bool named = argc == 2 && sscanf(argv[1], "%8[^.].%3[^.].%5s", mode, how.rounding, saturate) == 3;
    bool is_req8 = strcmp(mode, "req8") == 0;
    if (!named || (!is_req8 && strcmp(mode, "qf322f16") != 0)) {
        fprintf(stderr, "usage: filter CONVERSION, such as req8.rne.nosat or qf322f16.rne.sat\n");
        return 2;
    }
    how.saturate = strcmp(saturate, "sat") == 0;
    int id;
    struct inputs in;
    while (scanf(" {\"id\": %d, \"in\": [\"%" SCNx32 "\", \"%x\", \"%" SCNx64 "\", \"%" SCNx64 "\"]}", &id, &in.value,
                 &in.relu, &in.quant_param, &in.relu_param) == 5) {
        struct outputs out = is_req8 ? req8(how, in) : qf322f16(how, in);
        printf("{\"id\": %d, \"out\": [\"%0*x\", \"%02x\"]}\n", id, is_req8 ? 2 : 4, out.result, out.flags);
    }
    return feof(stdin) ? 0 : 1;
}
