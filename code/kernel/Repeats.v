(* Chapter 9: when real positions repeat. *)
Require Import Reals Lra Lia ZArith Znumtheory Zpow_facts Arith.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Wavelengths.
Open Scope R_scope.

(* ---- thm-reals ---- *)
Definition ratio (b : R) (h : nat) : R := Rpower b (2 / INR (2 * h)).
Definition same_encoding (b : R) (h : nat) (p q : R) : Prop := forall j, (j < 2 * h)%nat -> PE b h p j = PE b h q j.

Lemma whole_turns x y : sin x = sin y -> cos x = cos y -> exists k : Z, x - y = 2 * PI * IZR k.
Proof.
  intros S C. assert (E : cos (x - y) = 1).
  { rewrite cos_minus, S, C. generalize (sin2_cos2 y). unfold Rsqr. lra. }
  replace (x - y) with (2 * ((x - y) / 2)) in E by field. rewrite cos_2a_sin in E.
  assert (Z0 : sin ((x - y) / 2) * sin ((x - y) / 2) = 0) by lra.
  destruct (sin_eq_0_0 ((x - y) / 2)) as [k K]; [apply Rmult_integral in Z0; tauto|].
  exists k. replace (x - y) with (2 * ((x - y) / 2)) by field. rewrite K. ring.
Qed.
Lemma omega_is_a_power b h i : 0 < b -> omega b h i = / ratio b h ^ i.
Proof.
  intro B. unfold omega, ratio. rewrite Rpower_Ropp. f_equal. rewrite <- Rpower_pow by apply exp_pos.
  rewrite Rpower_mult. f_equal. unfold Rdiv. ring.
Qed.
Lemma hands_agree b h p q i : same_encoding b h p q -> (i < h)%nat -> exists k : Z, omega b h i * (p - q) = 2 * PI * IZR k.
Proof.
  intros H I. destruct (whole_turns (omega b h i * p) (omega b h i * q)) as [k K].
  - rewrite <- !PE_sin. apply H. lia.
  - rewrite <- !PE_cos. apply H. lia.
  - exists k. rewrite <- K. ring.
Qed.
Lemma turns_of_all_hands b h p q : (forall i, (i < h)%nat -> exists k : Z, omega b h i * (p - q) = 2 * PI * IZR k) ->
  same_encoding b h p q.
Proof.
  intros H j J. assert (E : forall i, (i < h)%nat -> sin (omega b h i * p) = sin (omega b h i * q) /\ cos (omega b h i * p) = cos (omega b h i * q)).
  { intros i I. destruct (H i I) as [k K]. replace (omega b h i * p) with (omega b h i * q + 2 * IZR k * PI) by (rewrite Rmult_minus_distr_l in K; lra).
    assert (S : sin (2 * IZR k * PI) = 0) by (apply sin_eq_0_1; exists (2 * k)%Z; rewrite mult_IZR; ring).
    assert (C : cos (2 * IZR k * PI) = 1).
    { replace (2 * IZR k * PI) with (2 * (IZR k * PI)) by ring. rewrite cos_2a_sin.
      rewrite (sin_eq_0_1 (IZR k * PI)) by (now exists k). ring. }
    rewrite sin_plus, cos_plus, S, C. split; ring. }
  destruct (parity j) as [i [-> | ->]]; [rewrite !PE_sin | rewrite !PE_cos]; apply E; lia.
Qed.
Lemma pow_Z (u : Z) n : IZR (u ^ Z.of_nat n) = IZR u ^ n.
Proof. symmetry. apply pow_IZR. Qed.
(* in lowest terms the period is 2 pi u^(h-1), and no other offset brings all hands back *)
Theorem the_period_of_a_rational_ratio (b : R) (h : nat) (u v : Z) (p q : R) : 0 < b -> (0 < h)%nat ->
  (0 < u)%Z -> (0 < v)%Z -> Z.gcd u v = 1%Z -> ratio b h = IZR u / IZR v ->
  same_encoding b h p q <-> exists k : Z, p - q = 2 * PI * IZR u ^ (h - 1) * IZR k.
Proof.
  intros B H U V G R0. generalize PI_RGT_0. intro P.
  assert (U0 : 0 < IZR u) by now apply IZR_lt. assert (V0 : 0 < IZR v) by now apply IZR_lt.
  assert (W : forall i, omega b h i = IZR v ^ i / IZR u ^ i).
  { intro i. rewrite omega_is_a_power, R0 by exact B. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv.
    assert (IZR u ^ i <> 0) by (apply pow_nonzero; lra). assert (IZR v ^ i <> 0) by (apply pow_nonzero; lra). field. auto. }
  split.
  - intro S. destruct (hands_agree b h p q 0 S H) as [m M]. destruct (hands_agree b h p q (h - 1) S ltac:(lia)) as [n N].
    rewrite W in M. simpl in M. rewrite W in N. set (U1 := IZR u ^ (h - 1)) in *. set (V1 := IZR v ^ (h - 1)) in *.
    assert (U2 : 0 < U1) by now apply pow_lt. assert (D : p - q = 2 * PI * IZR m) by lra.
    assert (E : (v ^ Z.of_nat (h - 1) * m = u ^ Z.of_nat (h - 1) * n)%Z).
    { apply eq_IZR. rewrite !mult_IZR, !pow_Z. fold U1 V1. apply (Rmult_eq_reg_l (2 * PI)); [|lra].
      replace (2 * PI * (U1 * IZR n)) with (U1 * (2 * PI * IZR n)) by ring. rewrite <- N, D. field. lra. }
    assert (A : (u ^ Z.of_nat (h - 1) | m)%Z).
    { apply Gauss with (v ^ Z.of_nat (h - 1))%Z; [exists n; lia|].
      apply rel_prime_Zpower; [lia | lia | apply Zgcd_1_rel_prime, G]. }
    destruct A as [k ->]. exists k. rewrite D, mult_IZR, pow_Z. fold U1. ring.
  - intros [k K]. apply turns_of_all_hands. intros i I. exists (v ^ Z.of_nat i * u ^ Z.of_nat (h - 1 - i) * k)%Z.
    rewrite W, K, !mult_IZR, !pow_Z. replace (h - 1)%nat with (i + (h - 1 - i))%nat at 1 by lia.
    rewrite pow_add. field. apply pow_nonzero. lra.
Qed.
Theorem one_hand_has_the_period_of_a_turn (b p q : R) :
  same_encoding b 1 p q <-> exists k : Z, p - q = 2 * PI * IZR k.
Proof.
  split.
  - intro S. destruct (hands_agree b 1 p q 0 S ltac:(lia)) as [k K]. exists k. rewrite omega_0 in K. lra.
  - intros [k K]. apply turns_of_all_hands. intros i I. replace i with 0%nat by lia. exists k. rewrite omega_0. lra.
Qed.
Theorem an_irrational_ratio_never_repeats (b : R) (h : nat) (p q : R) : 0 < b -> (2 <= h)%nat ->
  (forall u v : Z, v <> 0%Z -> ratio b h <> IZR u / IZR v) -> p <> q -> ~ same_encoding b h p q.
Proof.
  intros B H I N S. generalize PI_RGT_0. intro P.
  destruct (hands_agree b h p q 0 S ltac:(lia)) as [m M]. destruct (hands_agree b h p q 1 S ltac:(lia)) as [n E].
  rewrite omega_0 in M. rewrite omega_is_a_power, pow_1 in E by exact B.
  assert (R0 : 0 < ratio b h) by apply exp_pos.
  assert (n <> 0%Z). { intros ->. apply N. apply Rminus_diag_uniq, (Rmult_eq_reg_l (/ ratio b h)); [lra|].
    apply Rgt_not_eq, Rinv_0_lt_compat, R0. }
  apply (I m n H0). apply not_0_IZR in H0. assert (F : ratio b h * (2 * PI * IZR n) = p - q) by (rewrite <- E; field; lra).
  assert (G : ratio b h * IZR n = IZR m) by (apply (Rmult_eq_reg_l (2 * PI)); lra). rewrite <- G. field. exact H0.
Qed.

(* ---- an integer base ---- *)
(* e is the exponent of the prime a in n *)
Definition exponent (a : Z) (e : nat) (n : Z) : Prop := (a ^ Z.of_nat e | n)%Z /\ ~ (a ^ Z.of_nat (S e) | n)%Z.
Lemma split_off a n : (1 < a)%Z -> (0 < n)%Z -> exists e m, (n = a ^ Z.of_nat e * m)%Z /\ (0 < m)%Z /\ ~ (a | m)%Z.
Proof.
  intros A N. assert (P : (0 <= n)%Z) by lia. revert N. pattern n. apply Z_lt_induction; [|exact P]. clear n P. intros n IH N.
  destruct (Zdivide_dec a n) as [[k K] | D].
  - destruct (IH k ltac:(nia) ltac:(nia)) as [e [m [E [M X]]]]. exists (S e), m. split; [|now split].
    rewrite K, E, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
  - exists 0%nat, n. change (Z.of_nat 0) with 0%Z. split; [rewrite Z.pow_0_r; ring | now split].
Qed.
Lemma prime_not_in_power a m n : prime a -> ~ (a | m)%Z -> ~ (a | m ^ Z.of_nat n)%Z.
Proof.
  intros A M D. apply M.
  induction n; [change (Z.of_nat 0) with 0%Z in D; rewrite Z.pow_0_r in D; destruct A; apply Z.divide_1_r_nonneg in D; lia|].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in D by lia. apply prime_mult in D as [D | D]; auto.
Qed.
Lemma exponent_is a e m : prime a -> ~ (a | m)%Z -> forall x, exponent a x (a ^ Z.of_nat e * m) -> x = e.
Proof.
  intros A M x [D N]. assert (A1 : (1 < a)%Z) by now destruct A. destruct (Nat.lt_total x e) as [L | [E | G]]; [|exact E|].
  - exfalso. apply N. replace e with (S x + (e - S x))%nat by lia. rewrite Nat2Z.inj_add, Z.pow_add_r by lia.
    exists (a ^ Z.of_nat (e - S x) * m)%Z. ring.
  - exfalso. apply M. replace x with (e + S (x - S e))%nat in D by lia.
    rewrite Nat2Z.inj_add, Z.pow_add_r in D by lia. apply Z.mul_divide_cancel_l in D; [|apply Z.pow_nonzero; lia].
    rewrite Nat2Z.inj_succ, Z.pow_succ_r in D by lia. destruct D as [k ->]. exists (k * a ^ Z.of_nat (x - S e))%Z. ring.
Qed.
Lemma has_a_prime_divisor n : (1 < n)%Z -> exists a, prime a /\ (a | n)%Z.
Proof.
  intro N. assert (P : (0 <= n)%Z) by lia. revert N. pattern n. apply Z_lt_induction; [|exact P]. clear n P. intros n IH N.
  destruct (prime_dec n) as [P | P]; [exists n; split; [exact P | apply Z.divide_refl]|].
  destruct (not_prime_divide n N P) as [m [M D]]. destruct (IH m ltac:(lia) ltac:(lia)) as [a [A B]].
  exists a. split; [exact A | now apply Z.divide_trans with m].
Qed.
Lemma exponent_splits a e n : (1 < a)%Z -> exponent a e n -> exists m, n = (a ^ Z.of_nat e * m)%Z /\ ~ (a | m)%Z.
Proof.
  intros A [[m E] N]. exists m. split; [lia|]. intros [k ->]. apply N. exists k.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. rewrite E. ring.
Qed.
Lemma exponent_of a e m : (1 < a)%Z -> ~ (a | m)%Z -> exponent a e (a ^ Z.of_nat e * m).
Proof.
  intros A M. split; [exists m; ring|]. rewrite Nat2Z.inj_succ, Z.pow_succ_r, (Z.mul_comm a) by lia. intro D.
  apply Z.mul_divide_cancel_l in D; [contradiction | apply Z.pow_nonzero; lia].
Qed.
Lemma a_whole_power h : (0 < h)%nat -> forall n, (0 < n)%Z ->
  (forall a e, prime a -> exponent a e n -> Nat.divide h e) -> exists m, (0 < m)%Z /\ n = (m ^ Z.of_nat h)%Z.
Proof.
  intros H n N. assert (P : (0 <= n)%Z) by lia. revert N. pattern n. apply Z_lt_induction; [|exact P].
  clear n P. intros n IH N D. destruct (Z.eq_dec n 1) as [-> | N1]; [exists 1%Z; split; [lia | now rewrite Z.pow_1_l by lia]|].
  destruct (has_a_prime_divisor n ltac:(lia)) as [a [A AN]]. assert (A1 : (1 < a)%Z) by now destruct A.
  destruct (split_off a n A1 N) as [e [m [E [M X]]]].
  assert (Q : (0 < a ^ Z.of_nat e)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (E0 : e <> 0%nat) by (intros ->; change (Z.of_nat 0) with 0%Z in E; rewrite Z.pow_0_r in E; apply X; now replace m with n by lia).
  destruct (D a e A) as [g G]; [rewrite E; now apply exponent_of|].
  assert (A2 : (1 < a ^ Z.of_nat e)%Z) by (apply Z.pow_gt_1; lia).
  destruct (IH m) as [r [R0 RE]]; [nia | exact M | |].
  - intros c x C CX. assert (C1 : (1 < c)%Z) by now destruct C.
    destruct x as [|x]; [exists 0%nat; reflexivity|]. apply (D c (S x) C).
    destruct (exponent_splits c (S x) m C1 CX) as [k [K Y]].
    assert (CA : ~ (c | a)%Z).
    { intro CA. apply X. assert (c = a) as <-; [now apply prime_div_prime|]. destruct CX as [CX _].
      apply Z.divide_trans with (2 := CX). exists (c ^ Z.of_nat x)%Z. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring. }
    rewrite E, K. replace (a ^ Z.of_nat e * (c ^ Z.of_nat (S x) * k))%Z with (c ^ Z.of_nat (S x) * (a ^ Z.of_nat e * k))%Z by ring.
    apply exponent_of; [exact C1|]. intro Z0. apply prime_mult in Z0 as [Z0 | Z0]; [| contradiction | exact C].
    now apply (prime_not_in_power c a e C CA).
  - exists (a ^ Z.of_nat g * r)%Z. split; [apply Z.mul_pos_pos; [apply Z.pow_pos_nonneg; lia | exact R0]|].
    rewrite Z.pow_mul_l, <- Z.pow_mul_r, <- RE, E, G, Nat2Z.inj_mul by lia. reflexivity.
Qed.
Lemma ratio_power b h : 0 < b -> (0 < h)%nat -> ratio b h ^ h = b.
Proof.
  intros B H. unfold ratio. rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult.
  replace (2 / INR (2 * h) * INR h) with 1; [now apply Rpower_1|]. rewrite mult_INR. simpl (INR 2). field.
  apply not_0_INR. lia.
Qed.
Lemma ratio_of_a_power b m h : (0 < h)%nat -> (0 < m)%Z -> b = (m ^ Z.of_nat h)%Z -> ratio (IZR b) h = IZR m.
Proof.
  intros H M ->. assert (P : 0 < IZR m) by now apply IZR_lt. rewrite pow_Z. unfold ratio.
  rewrite <- Rpower_pow by exact P. rewrite Rpower_mult. replace (INR h * (2 / INR (2 * h))) with 1; [now apply Rpower_1|].
  rewrite mult_INR. simpl (INR 2). field. apply not_0_INR. lia.
Qed.
Definition rational (x : R) : Prop := exists u v : Z, v <> 0%Z /\ x = IZR u / IZR v.
Lemma exponents_are_multiples (b : Z) (h : nat) : (1 < b)%Z -> (0 < h)%nat -> rational (ratio (IZR b) h) ->
  forall a e, prime a -> exponent a e b -> Nat.divide h e.
Proof.
  intros B H [u [v [V E]]] a e A X. assert (A1 : (1 < a)%Z) by now destruct A.
  assert (B0 : 0 < IZR b) by (apply IZR_lt; lia). assert (V0 : IZR v <> 0) by now apply not_0_IZR.
  assert (R0 : 0 < ratio (IZR b) h) by apply exp_pos.
  assert (F : (Z.abs u ^ Z.of_nat h = b * Z.abs v ^ Z.of_nat h)%Z).
  { apply eq_IZR. rewrite mult_IZR, !pow_Z, <- (ratio_power (IZR b) h B0 H) at 1. rewrite <- Rpow_mult_distr. f_equal.
    rewrite !abs_IZR, <- (Rabs_pos_eq (ratio _ h)) by lra. rewrite <- Rabs_mult, E. f_equal. field. exact V0. }
  assert (U : u <> 0%Z) by (intros ->; rewrite E in R0; unfold Rdiv in R0; lra).
  destruct (split_off a (Z.abs u) A1 ltac:(lia)) as [x [m [UM [M0 M]]]].
  destruct (split_off a (Z.abs v) A1 ltac:(lia)) as [y [k [VK [K0 K]]]].
  destruct (exponent_splits a e b A1 X) as [l [BL L]].
  rewrite UM, VK, BL, !Z.pow_mul_l, <- !Z.pow_mul_r in F by lia.
  assert (Y : (e + y * h = x * h)%nat).
  { apply (exponent_is a (x * h) (m ^ Z.of_nat h) A); [now apply prime_not_in_power|].
    rewrite Nat2Z.inj_mul, F. replace (a ^ Z.of_nat e * l * (a ^ (Z.of_nat y * Z.of_nat h) * k ^ Z.of_nat h))%Z
      with (a ^ Z.of_nat (e + y * h) * (l * k ^ Z.of_nat h))%Z.
    - apply exponent_of; [exact A1|]. intro D. apply prime_mult in D as [D | D]; [contradiction | | exact A].
      now apply (prime_not_in_power a k h A K).
    - rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Z.pow_add_r by lia. ring. }
  exists (x - y)%nat. rewrite Nat.mul_sub_distr_r. lia.
Qed.
Theorem rational_exactly_for_whole_powers (b : Z) (h : nat) : (1 < b)%Z -> (0 < h)%nat ->
  rational (ratio (IZR b) h) <-> (forall a e, prime a -> exponent a e b -> Nat.divide h e).
Proof.
  intros B H. split; [now apply exponents_are_multiples|]. intro D.
  destruct (a_whole_power h H b ltac:(lia) D) as [m [M E]]. exists m, 1%Z. split; [lia|].
  rewrite (ratio_of_a_power b m h H M E). field.
Qed.
Theorem then_it_is_an_integer (b : Z) (h : nat) : (1 < b)%Z -> (0 < h)%nat -> rational (ratio (IZR b) h) ->
  exists u : Z, ratio (IZR b) h = IZR u /\ 2 * PI * IZR u ^ (h - 1) = lambda (IZR b) h (h - 1) /\
  forall p q, same_encoding (IZR b) h p q <-> exists k : Z, p - q = lambda (IZR b) h (h - 1) * IZR k.
Proof.
  intros B H Q. assert (B0 : 0 < IZR b) by (apply IZR_lt; lia).
  destruct (a_whole_power h H b ltac:(lia) (exponents_are_multiples b h B H Q)) as [m [M E]].
  assert (R0 := ratio_of_a_power b m h H M E). exists m. split; [exact R0|].
  assert (L : 2 * PI * IZR m ^ (h - 1) = lambda (IZR b) h (h - 1)).
  { unfold lambda. rewrite omega_is_a_power, R0 by exact B0. unfold Rdiv. now rewrite Rinv_inv. }
  split; [exact L|]. intros p q. rewrite <- L. apply (the_period_of_a_rational_ratio (IZR b) h m 1); try assumption; try lia.
  - apply Z.gcd_1_r.
  - rewrite R0. field.
Qed.
