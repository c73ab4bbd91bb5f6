// REQ8 with RNE and Sat = 0 as combinational logic, and a bench that holds it against a $readmemh file, or else answers
// `halfulp replay` from its standard input.
//
//     halfulp vectors write req8.rne.nosat --format readmemh --out build
//     iverilog -g2012 -o build/req8 vectors/examples/req8_tb.sv
//     vvp -n build/req8 +vectors=build/req8.rne.nosat.hex
//     halfulp replay --format testfloat vectors/req8.rne.nosat.jsonl -- vvp -n build/req8
//
// A word holds, from the left: value 32 bits, ReluMode 4, quant_param 64, relu_param 64, result 8, flags 8: whole hex
// digits a field. The number of words is on the file's first line; the bench counts those that are not x instead.
`timescale 1ns / 1ns

module req8 (
    input  logic signed [31:0] value,
    input  logic        [ 2:0] relu,
    input  logic        [63:0] quant_param,
    input  logic        [63:0] relu_param,
    output logic        [ 7:0] result,
    output logic        [ 4:0] flags
);
  logic        [18:0] code;
  logic        [31:0] magnitude;
  logic        [42:0] product;
  logic        [ 7:0] exponent;
  logic        [86:0] aligned;
  logic               inexact, round_up, huge, overflow, guard, sticky;
  logic        [43:0] whole;
  logic signed [45:0] rounded;
  logic signed [ 9:0] intermediate, offset, total;

  always @* begin
    code = quant_param[31:13];
    if (value < 0 && relu == 3'd1) code = 19'd0;
    else if (value < 0 && relu > 3'd1) code = relu_param[18:0];
    magnitude = value < 0 ? -value : value;
    product = code == 19'd0 ? 43'd0 : magnitude * {32'd1, code[9:0]};
    exponent = code[17:10];

    // product · 2^(exponent - 137): from exponent 93 down nothing but a sticky bit is left, from 147 up nothing fits
    huge = product != 43'd0 && exponent >= 8'd147;
    aligned = {product, 44'd0};
    guard = 1'b0;
    sticky = 1'b0;
    if (exponent >= 8'd137) begin
      whole = product << (exponent - 8'd137);
      huge = huge | (product >> (8'd43 - (exponent - 8'd137))) != 43'd0;
    end else if (exponent >= 8'd94) begin
      aligned = {product, 44'd0} >> (8'd137 - exponent);
      whole = aligned[86:44];
      guard = aligned[43];
      sticky = aligned[42:0] != 43'd0;
    end else begin
      whole = 44'd0;
      sticky = product != 43'd0;
    end
    inexact = guard | sticky;
    round_up = guard & (sticky | whole[0]);
    rounded = value < 0 ? -$signed({2'b0, whole + {43'd0, round_up}}) : $signed({2'b0, whole + {43'd0, round_up}});

    intermediate = rounded[9:0];
    overflow = huge | rounded > 46'sd255 | rounded < -46'sd256;
    if (huge | rounded > 46'sd255 | rounded < -46'sd256) intermediate = value < 0 ? -10'sd256 : 10'sd255;
    offset = $signed({quant_param[45], quant_param[45:37]});
    total = intermediate + offset;
    overflow = overflow | total > 10'sd127 | total < -10'sd128;
    result = total[7:0];
    flags = overflow ? 5'h14 : inexact ? 5'h10 : 5'h00;
  end
endmodule

module bench;
  localparam int DEPTH = 1000;
  localparam int STDIN = 32'h8000_0000;
  logic [179:0] words[DEPTH];
  logic [179:0] word;
  logic [ 31:0] value;
  logic [  3:0] relu;
  logic [ 63:0] quant_param, relu_param;
  logic [  7:0] result;
  logic [  4:0] flags;
  reg   [8*256-1:0] path;
  int cases, wrong;

  req8 dut (
      .value(word[179:148]),
      .relu(word[146:144]),
      .quant_param(word[143:80]),
      .relu_param(word[79:16]),
      .result(result),
      .flags(flags)
  );

  task check_file;
    $readmemh(path, words);
    cases = 0;
    wrong = 0;
    for (int i = 0; i < DEPTH && ^words[i] !== 1'bx; i++) begin
      word = words[i];
      #1;
      cases++;
      if (result !== word[15:8] || {3'd0, flags} !== word[7:0]) begin
        wrong++;
        $display("case %0d: given %h %h, expected %h %h", i + 1, result, flags, word[15:8], word[7:0]);
      end
    end
    $display("%0d cases, %0d differ", cases, wrong);
  endtask

  // TestFloat's flag byte has the flags the other way round
  task answer;
    while ($fscanf(STDIN, "%h %h %h %h", value, relu, quant_param, relu_param) == 4) begin
      word = {value, relu, quant_param, relu_param, 16'd0};
      #1;
      $display("%h %h", result, {3'd0, flags[0], flags[1], flags[2], flags[3], flags[4]});
    end
  endtask

  initial begin
    if ($value$plusargs("vectors=%s", path)) check_file;
    else answer;
    $finish(0);
  end
endmodule
